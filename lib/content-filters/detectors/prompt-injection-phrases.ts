export interface Family {
  family: string;
  pattern: RegExp;
}

/** Up to `most` words in between, within one sentence. */
export const gap = (most: number) => `(?: [^ .:]{1,24}){0,${most}}`;
/** A family of phrases over the words view: each phrase begins at a word and ends with one. */
export const phrases = (family: string, ...alternatives: readonly string[]): Family => ({
  family,
  pattern: new RegExp(` (?:${alternatives.join("|")})(?= )`, "gu"),
});

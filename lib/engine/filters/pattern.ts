import { RE2JS } from "re2js";

/** Maximum size of a compiled program: a search takes the size times the length of the text. */
export const MAX_PROGRAM_SIZE = 500;

export type PatternProblem = { code: "invalid_regex_pattern" | "regex_too_complex"; message: string };

/** Compiles a custom pattern for the linear-time engine, which has no lookaround or backreferences. */
export const compilePattern = (pattern: string): RE2JS => RE2JS.compile(RE2JS.translateRegExp(pattern));

/** Returns the engine's message when a pattern can't be used as a content filter, else null. */
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
        message: `compiles to ${size} instructions; the maximum is ${MAX_PROGRAM_SIZE}`,
      }
    : null;
}

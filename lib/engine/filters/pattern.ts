import { RE2JS } from "re2js";

/** Maximum number of instructions of a compiled pattern; the time of a search is proportional to it. */
export const MAX_PROGRAM_SIZE = 500;

export type PatternProblem = { code: "invalid_regex_pattern" | "regex_too_complex"; message: string };

/** Compiles a custom pattern for the linear-time engine, which has no lookaround or backreferences. */
export const compilePattern = (pattern: string): RE2JS => RE2JS.compile(RE2JS.translateRegExp(pattern));

const ENGINE_MESSAGE = /^error parsing regexp: (?<error>.*?)(?:: `(?<part>.*)`)?$/s;
const LOOKAROUND = /^\(\?(?<behind><?)[=!]/;
const MAX_REPEATS = 1000;

/** Explains an engine error and how to fix it, by the quoted `part` of the pattern; null for rare errors. */
function explain(error: string, part: string): string | null {
  const lookaround = LOOKAROUND.exec(part);
  if (lookaround)
    return `${lookaround.groups?.["behind"] ? "Lookbehind" : "Lookahead"} isn't supported by the linear-time engine; rewrite without ${lookaround[0]}…)`;
  if (/^\\[1-9]/.test(part))
    return `Backreferences aren't supported by the linear-time engine; rewrite without ${part}`;
  switch (error) {
    case "missing closing )":
      return "Unclosed group: add a closing )";
    case "unexpected )":
      return "Unmatched ): remove it, or write \\) to match a parenthesis";
    case "missing closing ]":
      return `Unclosed character class \`${part}\`: add a closing ]`;
    case "missing argument to repetition operator":
      return `Nothing to repeat before \`${part}\`; write \\${part} to match the character`;
    case "invalid nested repetition operator":
      return `Nested repetition \`${part}\` isn't supported; put the inner one in a group, as in (?:a*)*`;
    case "invalid repeat count":
      return `Invalid repeat count \`${part}\`; the smaller number comes first, and the maximum is ${MAX_REPEATS}, nested counts multiplied`;
    case "invalid character class range":
      return part.startsWith("\\") || part.startsWith("[")
        ? `Unknown character class \`${part}\``
        : `Invalid range \`${part}\`: its start comes after its end`;
    case "trailing backslash at end of expression":
      return "Trailing backslash: write \\\\ to match a backslash";
    default:
      return null;
  }
}

/** Returns the explanation of an error, or the engine's own message if there is none. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const { error: name = message, part = "" } = ENGINE_MESSAGE.exec(message)?.groups ?? {};
  return explain(name, part) ?? (part === "" ? name : `${name}: \`${part}\``);
}

/** Returns why a pattern can't be used as a content filter, else null. */
export function patternProblem(pattern: string): PatternProblem | null {
  let size: number;
  try {
    size = compilePattern(pattern).programSize();
  } catch (error) {
    return { code: "invalid_regex_pattern", message: messageOf(error) };
  }
  return size > MAX_PROGRAM_SIZE
    ? {
        code: "regex_too_complex",
        message: `compiles to ${size} instructions; the maximum is ${MAX_PROGRAM_SIZE}`,
      }
    : null;
}

/** Formats of a request body that a preset can be created from. */
export type BodyFormat = "responses" | "chat_completions" | "messages";

type ParsedBody = { body: Readonly<Record<string, unknown>>; fault: null } | { body: null; fault: string };

/** Parses a user-written request body; otherwise returns the error. */
export function parseBody(text: string): ParsedBody {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && !Array.isArray(body))
      return { body: body as Record<string, unknown>, fault: null };
    return { body: null, fault: "Must be a JSON object: { … }" };
  } catch (error) {
    return { body: null, fault: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Fields that only a Messages body has. */
const OF_MESSAGES = ["system", "thinking", "output_config", "stop_sequences"];

/** A body with messages is a Chat Completions body, unless it has a field that only Messages has. */
export function detectFormat(body: Readonly<Record<string, unknown>>): BodyFormat {
  if (!("messages" in body)) return "responses";
  return OF_MESSAGES.some((field) => field in body) ? "messages" : "chat_completions";
}

type Path = readonly (string | number)[];

interface Range {
  from: number;
  to: number;
}

/** Range of the value at a path in JSON text, or of its nearest parent if it is missing. */
export function rangeOfPath(text: string, path: Path): Range {
  const ranges = rangesOf(text);
  const found = path
    .map((_, index) => path.slice(0, path.length - index))
    .find((part) => ranges.has(JSON.stringify(part)));
  return ranges.get(JSON.stringify(found ?? [])) ?? { from: 0, to: text.length };
}

const STRING = /"(?:[^"\\]|\\.)*"/y;
const LITERAL = /[^\s,\]}]+/y;
const GAP = /[\s:,]*/y;

/** Ranges of all values in valid JSON text, by path. */
function rangesOf(text: string): ReadonlyMap<string, Range> {
  const ranges = new Map<string, Range>();
  const take = (pattern: RegExp, from: number): number => {
    pattern.lastIndex = from;
    return pattern.test(text) ? pattern.lastIndex : from + 1;
  };
  const walk = (start: number, path: Path): number => {
    const from = take(GAP, start);
    const end =
      text[from] === "{" || text[from] === "["
        ? walkEntries(from, path)
        : take(text[from] === '"' ? STRING : LITERAL, from);
    ranges.set(JSON.stringify(path), { from, to: end });
    return end;
  };
  const walkEntries = (open: number, path: Path): number => {
    const isObject = text[open] === "{";
    let position = take(GAP, open + 1);
    for (let index = 0; position < text.length && text[position] !== "}" && text[position] !== "]"; index++) {
      const keyEnd = isObject ? take(STRING, position) : position;
      const key = isObject ? (JSON.parse(text.slice(position, keyEnd)) as string) : index;
      position = take(GAP, walk(keyEnd, [...path, key]));
    }
    return position + 1;
  };
  walk(0, []);
  return ranges;
}

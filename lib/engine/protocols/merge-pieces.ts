import { asObject, type JsonObject } from "../../platform/json-values";

/** Text fields whose pieces are concatenated even when two pieces are equal. */
const STREAMED = new Set(["arguments", "text", "summary", "transcript", "data", "input", "thinking"]);

/** Merges the pieces of streamed fields; list entries with the same `index` and type are merged. */
export function mergePieces(before: unknown, piece: unknown, key = ""): unknown {
  if (before === undefined || before === null) return piece;
  if (piece === undefined || piece === null) return before;
  if (typeof before === "string" && typeof piece === "string")
    return before === piece && !STREAMED.has(key) ? before : before + piece;
  if (Array.isArray(before) && Array.isArray(piece))
    return (piece as unknown[]).reduce<unknown[]>((list, entry) => mergeEntry(list, entry), [...(before as unknown[])]);
  const [first, second] = [asObject(before), asObject(piece)];
  if (first && second)
    return Object.fromEntries(
      [...new Set([...Object.keys(first), ...Object.keys(second)])].map((name) => [
        name,
        mergePieces(first[name], second[name], name),
      ]),
    );
  return piece;
}

function mergeEntry(list: unknown[], entry: unknown): unknown[] {
  const fields = asObject(entry);
  const place = fields ? list.findIndex((other) => belongTogether(asObject(other), fields)) : -1;
  return place < 0 ? [...list, entry] : list.with(place, mergePieces(list[place], entry));
}

const belongTogether = (one: JsonObject | null, other: JsonObject): boolean =>
  one?.["index"] !== undefined &&
  one["index"] === other["index"] &&
  (one["type"] ?? other["type"]) === (other["type"] ?? one["type"]);

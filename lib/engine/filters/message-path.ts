import type { MessageEvent } from "../protocols/response-chunk";
import type { LeafForm } from "./leaves";
import type { LeafPath } from "./places";

/** Field and form of each text that streams in deltas, by the type of the delta. */
export const STREAMED_TEXTS: ReadonlyMap<unknown, { name: string; form: LeafForm }> = new Map([
  ["text_delta", { name: "text", form: "text" }],
  ["thinking_delta", { name: "thinking", form: "text" }],
  ["input_json_delta", { name: "partial_json", form: "json" }],
]);

/** Converts a path in a stream event to the path in the message. */
export function messagePath(event: MessageEvent, path: LeafPath): LeafPath {
  const [first = "", ...rest] = path;
  const isOfBlock = event.type.startsWith("content_block_");
  if (first === "content_block" || (first === "delta" && isOfBlock))
    return ["content", Number(event["index"] ?? 0), ...rest.map((part) => (part === "partial_json" ? "input" : part))];
  return first === "message" || first === "delta" ? rest : path;
}

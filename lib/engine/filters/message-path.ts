import type { MessageEvent } from "../protocols/response-chunk";
import type { LeafForm } from "./leaves";
import type { LeafPath } from "./places";

/** Texts that stream in pieces, by the type of their delta. */
export const STREAMED_TEXTS: ReadonlyMap<unknown, { name: string; form: LeafForm }> = new Map([
  ["text_delta", { name: "text", form: "text" }],
  ["thinking_delta", { name: "thinking", form: "text" }],
  ["input_json_delta", { name: "partial_json", form: "json" }],
]);

/** The place of a text of an event, in the message. */
export function messagePath(event: MessageEvent, path: LeafPath): LeafPath {
  const [first = "", ...rest] = path;
  const isOfBlock = event.type.startsWith("content_block_");
  if (first === "content_block" || (first === "delta" && isOfBlock))
    return ["content", Number(event["index"] ?? 0), ...rest.map((part) => (part === "partial_json" ? "input" : part))];
  return first === "message" || first === "delta" ? rest : path;
}

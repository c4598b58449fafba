import type { ResponseEvent } from "../protocols/response-chunk";
import type { LeafForm } from "./leaves";
import type { LeafPath } from "./places";

/** Returns the path, in the Responses object, of the text or part that a stream event belongs to. */
export function partPath(
  type: string,
  { output_index, content_index, summary_index }: Omit<ResponseEvent, "type">,
): LeafPath {
  const item = ["output", Number(output_index ?? 0)];
  if (summary_index !== undefined) return [...item, "summary", Number(summary_index), "text"];
  if (content_index === undefined) return [...item, /(\w+?)\.delta$/.exec(type)?.[1] ?? type];
  return [...item, "content", Number(content_index), type.includes("refusal") ? "refusal" : "text"];
}

/** Returns the form of the text in a delta event. */
export const deltaForm = (type: string): LeafForm =>
  type.includes("arguments") ? "json" : type.endsWith("audio.delta") ? "media" : "text";

/** Converts a path in a stream event to the path in the Responses object. */
export function eventPath(event: ResponseEvent, [first = "", ...rest]: LeafPath): LeafPath {
  const item = ["output", Number(event["output_index"] ?? 0)];
  if (first === "item") return [...item, ...rest];
  if (first === "part") return [...partPath(event.type, event).slice(0, -1), ...rest];
  return [...item, first, ...rest];
}

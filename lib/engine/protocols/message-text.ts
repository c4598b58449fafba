import type { JsonObject } from "../../platform/json-values";

/** Returns the text parts of a message's content, joined with newlines. */
export function textOf(content: string | readonly JsonObject[] | null | undefined): string {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap((part) => (typeof part["text"] === "string" ? [part["text"]] : [])).join("\n");
}

import { isJsonObject } from "../../platform/json-values";
import type { LeafPath } from "./places";

type Fields = Readonly<Record<string, unknown>>;

/** Fields with definitions of tools and formats, which the application writes. */
const DEFINITIONS = new Set(["tools", "tool_choice", "response_format", "text"]);
const INSTRUCTIONS = new Set(["instructions", "system"]);
const INSTRUCTING_ROLES = new Set<unknown>(["system", "developer"]);
const TEXT_TYPES = new Set<unknown>([undefined, "text", "input_text"]);

/**
 * True for a text that the application wrote: its instructions, and the definitions of its tools and formats. Other
 * parts of instructions, such as files and search results, contain third-party text.
 */
export function isTrusted(body: Fields, path: LeafPath): boolean {
  const [field, index, part, ...within] = path;
  if (typeof field !== "string") return false;
  if (DEFINITIONS.has(field)) return true;
  if (INSTRUCTIONS.has(field)) return isWrittenText(body[field], path.slice(1));
  if ((field !== "messages" && field !== "input") || part !== "content") return false;
  const messages = body[field];
  const message: unknown = Array.isArray(messages) ? messages[Number(index)] : undefined;
  return (
    isJsonObject(message) &&
    INSTRUCTING_ROLES.has(message["role"]) &&
    (message["type"] ?? "message") === "message" &&
    isWrittenText(message["content"], within)
  );
}

/** True for a string content, or the text of a text part in a list of parts. */
function isWrittenText(content: unknown, [index, field, ...within]: LeafPath): boolean {
  if (typeof content === "string") return true;
  const part: unknown = Array.isArray(content) ? content[Number(index)] : undefined;
  if (typeof part === "string") return true;
  return isJsonObject(part) && TEXT_TYPES.has(part["type"]) && field === "text" && within.length === 0;
}

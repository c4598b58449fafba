import type { MessagesBody } from "../contracts/messages-request-contract";
import type { FieldPath } from "../field-rules";
import { messagesOrigins } from "./from-messages";

/** Fields of a Messages request by those of the chat completions request that they become. */
const FIELDS: Readonly<Record<string, FieldPath>> = {
  stop: ["stop_sequences"],
  response_format: ["output_config", "format"],
  parallel_tool_calls: ["tool_choice"],
  web_search_options: ["tools"],
};

/** Returns the place in a Messages request of a field of the chat completions request that it was converted to. */
export function messagesPath(path: FieldPath, body: MessagesBody): FieldPath {
  const [field, index] = path;
  if (field === "messages" && typeof index === "number") return messagesOrigins(body)[index] ?? ["messages"];
  if (field === "reasoning_effort") return body.output_config?.effort ? ["output_config", "effort"] : ["thinking"];
  return FIELDS[String(field)] ?? path;
}

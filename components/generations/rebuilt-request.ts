import type { GenerationContent } from "@/lib/features/content-access/contract";
import type { Generation } from "@/lib/records/generations/contract";

type Message = GenerationContent["input"]["messages"][number];

interface ToolCall {
  id: string;
  function?: { name: string; arguments: string };
}

const callsOf = ({ tool_calls }: Message): ToolCall[] => (Array.isArray(tool_calls) ? (tool_calls as ToolCall[]) : []);

/** A stored message as items of the Responses protocol. */
function itemsOf(message: Message): object[] {
  const { role, content } = message;
  if (role === "tool")
    return [
      {
        type: "function_call_output",
        call_id: typeof message["tool_call_id"] === "string" ? message["tool_call_id"] : "",
        output: content,
      },
    ];
  const calls = callsOf(message).map(({ id, function: called }) => ({
    type: "function_call",
    call_id: id,
    name: called?.name ?? "",
    arguments: called?.arguments ?? "",
  }));
  return content === "" && calls.length > 0 ? calls : [{ role, content }, ...calls];
}

/** Rebuilds a request body from the stored messages, as a Responses request or a chat. */
export function rebuiltRequest(
  { protocol, model, requested_model, preset_id }: Generation,
  { input }: GenerationContent,
): Record<string, unknown> {
  // The stored messages already contain the preset's system prompt, so naming the preset would add it twice.
  const named = preset_id === null ? requested_model : model;
  return protocol === "responses"
    ? { model: named, input: input.messages.flatMap(itemsOf) }
    : { model: named, messages: input.messages };
}

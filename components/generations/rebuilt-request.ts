import type { GenerationContent } from "@/lib/features/content-access/contract";
import type { Generation } from "@/lib/records/generations/contract";

type Message = GenerationContent["input"]["messages"][number];

interface ToolCall {
  id: string;
  function?: { name: string; arguments: string };
}

/** Returns the tool calls of a stored message or answer. */
export const callsOf = (calls: unknown): ToolCall[] => (Array.isArray(calls) ? (calls as ToolCall[]) : []);

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
  const calls = callsOf(message["tool_calls"]).map(({ id, function: called }) => ({
    type: "function_call",
    call_id: id,
    name: called?.name ?? "",
    arguments: called?.arguments ?? "",
  }));
  return content === "" && calls.length > 0 ? calls : [{ role, content }, ...calls];
}

/**
 * Returns the model with which the stored messages can be sent again. They contain the preset's system prompt, so naming the preset
 * would add it twice.
 */
export const modelAgain = ({
  model,
  requested_model,
  preset_id,
}: Pick<Generation, "model" | "requested_model" | "preset_id">): string =>
  preset_id === null ? requested_model : model;

/** Rebuilds a request body from the stored messages, as a Responses request or a chat. */
export function rebuiltRequest(
  { protocol, model, requested_model, preset_id }: Generation,
  { input }: GenerationContent,
): Record<string, unknown> {
  const named = modelAgain({ model, requested_model, preset_id });
  return protocol === "responses"
    ? { model: named, input: input.messages.flatMap(itemsOf) }
    : { model: named, messages: input.messages };
}

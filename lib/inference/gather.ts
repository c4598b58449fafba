import type { ChatChunk, ChatUsage } from "./chat-result-contract";
import type { ToolCall } from "./chat-messages-contract";

/** What an answer's chunks add up to so far. */
export interface Gathered {
  upstreamId: string | null;
  content: string;
  reasoning: string;
  refusal: string;
  toolCalls: ToolCall[];
  finishReason: string | null;
  nativeFinishReason: string | null;
  usage: ChatUsage | null;
}

export const nothingGathered = (): Gathered => ({
  upstreamId: null,
  content: "",
  reasoning: "",
  refusal: "",
  toolCalls: [],
  finishReason: null,
  nativeFinishReason: null,
  usage: null,
});

/** Adds one chunk, in place: an answer has thousands. */
export function gather(sum: Gathered, { id, choices, usage }: ChatChunk): void {
  sum.upstreamId ??= id ?? null;
  sum.usage = usage ?? sum.usage;
  const choice = choices.find(({ index }) => index === 0);
  if (!choice) return;
  const { content, reasoning, refusal, tool_calls } = choice.delta;
  sum.content += content ?? "";
  sum.reasoning += reasoning ?? "";
  sum.refusal += refusal ?? "";
  for (const { index, id: callId, function: part } of tool_calls ?? []) {
    const call = (sum.toolCalls[index] ??= { id: "", type: "function", function: { name: "", arguments: "" } });
    call.id ||= callId ?? "";
    call.function.name += part?.name ?? "";
    call.function.arguments += part?.arguments ?? "";
  }
  if (choice.finish_reason) {
    sum.nativeFinishReason = typeof choice["native_finish_reason"] === "string" ? choice["native_finish_reason"] : choice.finish_reason;
    sum.finishReason = choice.finish_reason;
  }
}

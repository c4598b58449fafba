import type { AccumulatedChoice } from "../accumulate";
import { STOP_REASONS } from "../contracts/messages-result-contract";

const NATIVE: ReadonlySet<string | null> = new Set(STOP_REASONS);

/** Returns the stop reason of a Messages answer. */
export function stopReason({ finishReason, nativeFinishReason, refusal, toolCalls }: AccumulatedChoice): string {
  if (NATIVE.has(nativeFinishReason)) return String(nativeFinishReason);
  if (finishReason === "length") return "max_tokens";
  if (finishReason === "content_filter" || refusal !== "") return "refusal";
  return toolCalls.length > 0 || finishReason === "tool_calls" ? "tool_use" : "end_turn";
}

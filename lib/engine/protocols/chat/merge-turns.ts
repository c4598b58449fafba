import { asObjects } from "../../../platform/json-values";
import type { ChatMessage } from "../contracts/chat-messages-contract";

/** Merges reasoning, text and calls of one assistant turn into one message. */
export function mergeTurns(messages: readonly ChatMessage[]): ChatMessage[] {
  const merged: ChatMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role !== "assistant" || message.role !== "assistant" || (last.content && message.content)) {
      merged.push(message);
      continue;
    }
    const details = [...asObjects(last["reasoning_details"]), ...asObjects(message["reasoning_details"])];
    const calls = [...(last.tool_calls ?? []), ...(message.tool_calls ?? [])];
    merged[merged.length - 1] = {
      ...last,
      ...message,
      content: message.content ?? last.content,
      ...((message.reasoning ?? last.reasoning) && { reasoning: message.reasoning ?? last.reasoning }),
      ...(details.length > 0 && { reasoning_details: details }),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
  }
  return merged;
}

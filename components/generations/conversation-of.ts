import type { GenerationContent } from "@/lib/features/content-access/contract";
import { NEW_ANSWER, type Answer, type ToolCall, type Turn } from "@/components/playground/conversation";
import type { SavedConversation } from "@/components/playground/saved-conversation";
import { callsOf } from "./rebuilt-request";

type Message = GenerationContent["input"]["messages"][number];

const toToolCalls = (calls: unknown): ToolCall[] =>
  callsOf(calls).map(({ id, function: called }) => ({
    id,
    name: called?.name ?? "",
    arguments: called?.arguments ?? "",
  }));

const isInstruction = ({ role }: Message) => role === "system" || role === "developer";

function turnOf(message: Message): Turn {
  const { role, content } = message;
  if (role === "assistant")
    return { ...NEW_ANSWER, state: "done", content, toolCalls: toToolCalls(message["tool_calls"]) };
  if (role !== "tool") return { role: "user", content };
  const id = message["tool_call_id"];
  return { role: "tool", toolCallId: typeof id === "string" ? id : "", content };
}

/** The stored messages of a generation as a conversation, which its answer ends. */
export function conversationOf(id: string, { input, output }: GenerationContent): SavedConversation {
  const answer: Answer = {
    ...NEW_ANSWER,
    state: "done",
    content: output.completion,
    reasoning: output.reasoning ?? "",
    toolCalls: toToolCalls(output.tool_calls),
    generationId: id,
  };
  return {
    systemPrompt: input.messages
      .filter(isInstruction)
      .map(({ content }) => content)
      .join("\n\n"),
    turns: [...input.messages.filter((message) => !isInstruction(message)).map(turnOf), answer],
  };
}

import type { StreamedChunk } from "@/lib/browser/chat-stream";
import type { ApiFailure } from "@/lib/browser/api-failure";

/** A function call requested by a model. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** A model's complete or partial answer. */
export interface Answer {
  role: "assistant";
  state: "waiting" | "streaming" | "done" | "stopped" | "failed";
  content: string;
  reasoning: string;
  toolCalls: readonly ToolCall[];
  generationId: string | null;
  failure: Pick<ApiFailure, "status" | "message" | "issues" | "requestId"> | null;
}

export type Turn = { role: "user"; content: string } | { role: "tool"; toolCallId: string; content: string } | Answer;

export const NEW_ANSWER: Answer = {
  role: "assistant",
  state: "waiting",
  content: "",
  reasoning: "",
  toolCalls: [],
  generationId: null,
  failure: null,
};

/** Adds a chunk to an answer. */
export function withChunk(answer: Answer, chunk: StreamedChunk): Answer {
  const { error } = chunk;
  const delta = chunk.choices?.find(({ index }) => index === 0)?.delta;
  const calls = [...answer.toolCalls];
  for (const { index, id, function: called } of delta?.tool_calls ?? []) {
    const known = calls[index] ?? { id: "", name: "", arguments: "" };
    calls[index] = {
      id: id ?? known.id,
      name: known.name + (called?.name ?? ""),
      arguments: known.arguments + (called?.arguments ?? ""),
    };
  }
  return {
    ...answer,
    state: error || answer.state === "failed" ? "failed" : "streaming",
    content: answer.content + (delta?.content ?? delta?.refusal ?? ""),
    reasoning: answer.reasoning + (delta?.reasoning ?? ""),
    toolCalls: calls,
    failure: error ? { status: error.status, message: error.message, issues: [], requestId: null } : answer.failure,
  };
}

/** True for turns that can be sent, which excludes empty answers. */
const isSendable = (turn: Turn) => turn.role !== "assistant" || turn.content !== "" || turn.toolCalls.length > 0;

function messageOf(turn: Turn): Record<string, unknown> {
  if (turn.role === "user") return { role: "user", content: turn.content };
  if (turn.role === "tool") return { role: "tool", tool_call_id: turn.toolCallId, content: turn.content };
  return {
    role: "assistant",
    content: turn.content === "" && turn.toolCalls.length > 0 ? null : turn.content,
    ...(turn.toolCalls.length > 0 && {
      tool_calls: turn.toolCalls.map(({ id, name, arguments: given }) => ({
        id,
        type: "function",
        function: { name, arguments: given },
      })),
    }),
  };
}

/** The messages of a request that continues a conversation. */
export const messagesOf = (systemPrompt: string, turns: readonly Turn[]): Record<string, unknown>[] => [
  ...(systemPrompt.trim() === "" ? [] : [{ role: "system", content: systemPrompt }]),
  ...turns.filter(isSendable).map(messageOf),
];

/** Calls of the last answer without a result. */
export function openCalls(turns: readonly Turn[]): readonly ToolCall[] {
  const last = turns.findLastIndex(({ role }) => role === "assistant");
  const answer = turns[last];
  if (answer?.role !== "assistant" || answer.state !== "done") return [];
  const answered = new Set(turns.slice(last).flatMap((turn) => (turn.role === "tool" ? [turn.toolCallId] : [])));
  return answer.toolCalls.filter(({ id }) => !answered.has(id));
}

/** The turns before the last answer, to regenerate it. */
export const beforeLastAnswer = (turns: readonly Turn[]): readonly Turn[] =>
  turns.slice(
    0,
    Math.max(
      0,
      turns.findLastIndex(({ role }) => role === "assistant"),
    ),
  );

/** The turns before the user's turn with this number, counted from 0. */
export function beforeUserTurn(turns: readonly Turn[], number: number): readonly Turn[] {
  const places = turns.flatMap(({ role }, index) => (role === "user" ? [index] : []));
  return turns.slice(0, places[number] ?? turns.length);
}

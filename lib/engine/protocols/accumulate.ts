import type { AnswerChunk } from "./answer-chunk";
import { asObject, asObjects, asText, type JsonObject } from "./broken-answer";
import type { ChatUsage } from "./contracts/chat-result-contract";
import type { ToolCall } from "./contracts/chat-messages-contract";

/** Maximum number of characters collected from one answer. Longer answers are relayed in full but stored truncated. */
export const MAX_ANSWER_CHARACTERS = 16 * 1024 * 1024;

/** Array fields that upstreams add to a message; collected unchanged. */
const LISTS = ["reasoning_details", "annotations", "images"] as const;

/** The answer accumulated from the chunks received so far. */
export interface AccumulatedAnswer {
  upstreamId: string | null;
  content: string;
  reasoning: string;
  refusal: string;
  toolCalls: ToolCall[];
  lists: Partial<Record<(typeof LISTS)[number] | "logprobs", JsonObject[]>>;
  finishReason: string | null;
  nativeFinishReason: string | null;
  serviceTier: string | null;
  usage: ChatUsage | null;
  /** The completed Responses object of an upstream that speaks Responses. */
  response: JsonObject | null;
  /** Number of characters so far, and whether collection was truncated. */
  size: number;
  isCut: boolean;
}

export const emptyAnswer = (): AccumulatedAnswer => ({
  upstreamId: null,
  content: "",
  reasoning: "",
  refusal: "",
  toolCalls: [],
  lists: {},
  finishReason: null,
  nativeFinishReason: null,
  serviceTier: null,
  usage: null,
  response: null,
  size: 0,
  isCut: false,
});

/** Adds a chunk in place: an answer has thousands. */
export function accumulate(
  sum: AccumulatedAnswer,
  { id, choices, usage, service_tier, responseEvent }: AnswerChunk,
): void {
  sum.upstreamId ??= id ?? null;
  sum.usage = usage ?? sum.usage;
  sum.serviceTier = asText(service_tier) ?? sum.serviceTier;
  const choice = choices.find(({ index }) => index === 0);
  if (!choice) return;
  if (choice.finish_reason) {
    sum.finishReason = choice.finish_reason;
    sum.nativeFinishReason = asText(choice["native_finish_reason"]) ?? choice.finish_reason;
    sum.response = asObject(responseEvent?.["response"]);
  }
  gatherDelta(sum, choice);
}

function gatherDelta(sum: AccumulatedAnswer, { delta, logprobs }: AnswerChunk["choices"][number]): void {
  const { content, reasoning, refusal, tool_calls } = delta;
  const lists: [keyof AccumulatedAnswer["lists"], JsonObject[]][] = [
    ...LISTS.map((name) => [name, asObjects(delta[name])] as [typeof name, JsonObject[]]),
    ["logprobs", asObjects(asObject(logprobs)?.["content"])],
  ];
  sum.size += [
    content,
    reasoning,
    refusal,
    ...(tool_calls ?? []).flatMap((call) => [call.id, call.function?.name, call.function?.arguments]),
  ].reduce((size, text) => size + (text?.length ?? 0), 0);
  for (const [, list] of lists) if (list.length > 0) sum.size += JSON.stringify(list).length;
  sum.isCut ||= sum.size > MAX_ANSWER_CHARACTERS;
  if (sum.isCut) return;
  sum.content += content ?? "";
  sum.reasoning += reasoning ?? "";
  sum.refusal += refusal ?? "";
  for (const { index, id, function: part } of tool_calls ?? []) {
    const call = (sum.toolCalls[index] ??= { id: "", type: "function", function: { name: "", arguments: "" } });
    call.id ||= id ?? "";
    call.function.name ||= part?.name ?? "";
    call.function.arguments += part?.arguments ?? "";
  }
  for (const [name, list] of lists) if (list.length > 0) (sum.lists[name] ??= []).push(...list);
}

import { mergePieces } from "./merge-pieces";
import { SOURCE_FIELDS, type ResponseChunk } from "./response-chunk";
import { asObject, asObjects, asText, type JsonObject } from "../../platform/json-values";
import { laterUsage } from "./read-usage";
import { gatherMessage, type GatheredMessage } from "./messages/whole-message";
import type { ChatUsage } from "./contracts/chat-result-contract";
import type { CustomToolCall, FunctionToolCall } from "./contracts/chat-messages-contract";

/** Maximum number of characters collected from one answer. Longer answers are relayed in full but stored truncated. */
export const MAX_ANSWER_CHARACTERS = 16 * 1024 * 1024;

/** Array fields that upstreams add to a message; collected unchanged. */
const LISTS = ["reasoning_details", "annotations", "images"] as const;
type ListName = (typeof LISTS)[number];
const isList = (name: string): name is ListName => (LISTS as readonly string[]).includes(name);

export type AccumulatedCall = FunctionToolCall | CustomToolCall;

/** One choice of an answer. */
export interface AccumulatedChoice {
  content: string;
  /** The content that the upstream sent instead of a text; undefined if it sent none. */
  emptyContent: "" | null | undefined;
  reasoning: string;
  /** Reasoning under the name that some upstreams use. */
  reasoningContent: string;
  refusal: string;
  toolCalls: AccumulatedCall[];
  lists: Partial<Record<ListName | "logprobs" | "refusalLogprobs", JsonObject[]>>;
  /** Further fields of the message, and of the choice. */
  message: JsonObject;
  about: JsonObject;
  finishReason: string | null;
  nativeFinishReason: string | null;
}

/** The answer accumulated from the chunks received so far: its first choice, and the others. */
export interface AccumulatedResponse extends AccumulatedChoice {
  upstreamId: string | null;
  /** Choices after the first, by index. */
  others: Map<number, AccumulatedChoice>;
  /** Further fields of the chunks; collected from complete answers. */
  envelope: JsonObject;
  serviceTier: string | null;
  usage: ChatUsage | null;
  /** Usage that some upstreams report before the end. */
  usageSoFar: ChatUsage | null;
  /** The completed Responses object of an upstream that speaks Responses. */
  response: JsonObject | null;
  /** Contents as lists of parts, by choice index; collected from complete answers. */
  contentLists: Map<number, readonly unknown[]>;
  /** The original answer of an upstream that speaks Chat Completions; collected from complete answers. */
  sentCompletion: JsonObject | null;
  /** The message of an upstream that speaks Messages; collected from complete answers. */
  gathered: GatheredMessage | null;
  /** Number of characters so far, and whether collection was truncated. */
  size: number;
  isCut: boolean;
}

class EmptyChoice implements AccumulatedChoice {
  content = "";
  emptyContent: AccumulatedChoice["emptyContent"] = undefined;
  reasoning = "";
  reasoningContent = "";
  refusal = "";
  toolCalls: AccumulatedCall[] = [];
  lists: AccumulatedChoice["lists"] = {};
  message: JsonObject = {};
  about: JsonObject = {};
  finishReason: string | null = null;
  nativeFinishReason: string | null = null;
}

/** A class, because an object with so many fields is slow to copy. */
class EmptyResponse extends EmptyChoice implements AccumulatedResponse {
  upstreamId: string | null = null;
  others = new Map<number, AccumulatedChoice>();
  envelope: JsonObject = {};
  serviceTier: string | null = null;
  usage: ChatUsage | null = null;
  usageSoFar: ChatUsage | null = null;
  response: JsonObject | null = null;
  contentLists: AccumulatedResponse["contentLists"] = new Map();
  sentCompletion: JsonObject | null = null;
  gathered: GatheredMessage | null = null;
  size = 0;
  isCut = false;
}

export const newAccumulated = (): AccumulatedResponse => new EmptyResponse();

/** Returns all choices by ascending index. */
export const choicesOf = (answer: AccumulatedResponse): (readonly [index: number, choice: AccumulatedChoice])[] =>
  answer.others.size === 0
    ? [[0, answer]]
    : [[0, answer] as const, ...[...answer.others].toSorted(([a], [b]) => a - b)];

/** Returns the contents of all choices as one text. */
export const allContents = (answer: AccumulatedResponse): string =>
  answer.others.size === 0
    ? answer.content
    : choicesOf(answer)
        .map(([, { content }]) => content)
        .join("\n");

/** Adds a chunk in place, since an answer has thousands. */
export function accumulate(sum: AccumulatedResponse, chunk: ResponseChunk): void {
  const { id, choices, usage, service_tier, responseEvent } = chunk;
  sum.upstreamId ??= id ?? null;
  if (usage) sum.usage = laterUsage(sum.usage, usage);
  if (chunk.usageSoFar) sum.usageSoFar = laterUsage(sum.usageSoFar, chunk.usageSoFar);
  sum.serviceTier = asText(service_tier) ?? sum.serviceTier;
  for (const given of choices) {
    const choice = choiceAt(sum, given.index);
    if (given.finish_reason) {
      choice.finishReason = given.finish_reason;
      choice.nativeFinishReason = asText(given["native_finish_reason"]) ?? given.finish_reason;
      if (choice === sum) sum.response = asObject(responseEvent?.["response"]);
    }
    gatherChoice(sum, choice, given);
  }
}

/** Fields of a chunk that Signalbox sets, or that are accumulated separately. */
const OWN: ReadonlySet<string> = new Set([
  "id",
  "object",
  "created",
  "model",
  "choices",
  "usage",
  "service_tier",
  ...SOURCE_FIELDS,
]);

/** Adds the other fields of a chunk, where the last value counts, and its event. */
export function accumulateEnvelope(sum: AccumulatedResponse, chunk: ResponseChunk): void {
  const { envelope } = sum;
  for (const [index, parts] of chunk.contentLists ?? []) sum.contentLists.set(index, parts);
  sum.sentCompletion = chunk.sentCompletion ?? sum.sentCompletion;
  if (chunk.messageEvent) sum.gathered = gatherMessage(sum.gathered, chunk.messageEvent);
  for (const name in chunk) if (!OWN.has(name) && chunk[name] !== undefined) envelope[name] = chunk[name];
}

function choiceAt(sum: AccumulatedResponse, index: number): AccumulatedChoice {
  if (index === 0) return sum;
  let choice = sum.others.get(index);
  if (!choice) sum.others.set(index, (choice = new EmptyChoice()));
  return choice;
}

type Given = ResponseChunk["choices"][number];

function gatherChoice(sum: AccumulatedResponse, choice: AccumulatedChoice, given: Given): void {
  const { delta } = given;
  for (const name in delta) sum.size += sizeOf(name, delta[name]);
  const logprobs = asObject(given["logprobs"]);
  if (logprobs) sum.size += JSON.stringify(logprobs).length;
  sum.isCut ||= sum.size > MAX_ANSWER_CHARACTERS;
  if (sum.isCut) return;
  if (logprobs) {
    const tokens = { logprobs: asObjects(logprobs["content"]), refusalLogprobs: asObjects(logprobs["refusal"]) };
    for (const name of ["logprobs", "refusalLogprobs"] as const)
      if (tokens[name].length > 0) (choice.lists[name] ??= []).push(...tokens[name]);
  }
  for (const name in delta) gatherField(choice, name, delta);
  for (const name in given)
    if (!OF_CHOICE.has(name)) choice.about[name] = mergePieces(choice.about[name], given[name], name);
}

const OF_CHOICE: ReadonlySet<string> = new Set(["index", "delta", "finish_reason", "native_finish_reason", "logprobs"]);

const sizeOf = (name: string, value: unknown): number => {
  if (typeof value === "string") return name === "role" ? 0 : value.length;
  if (value === null || value === undefined) return 0;
  if (name !== "tool_calls") return Array.isArray(value) && value.length === 0 ? 0 : JSON.stringify(value).length;
  return asObjects(value).reduce((size, { id, function: called, custom }) => {
    const { name: calledName, arguments: args, input } = asObject(called) ?? asObject(custom) ?? {};
    return [id, calledName, args, input].reduce((length: number, text) => length + (asText(text)?.length ?? 0), size);
  }, 0);
};

function gatherField(choice: AccumulatedChoice, name: string, delta: Given["delta"]): void {
  const value = delta[name];
  if (value === undefined) return;
  switch (name) {
    case "role":
      return;
    case "content":
      if (value === null || value === "") choice.emptyContent = value;
      choice.content += delta.content ?? "";
      return;
    case "reasoning":
      choice.reasoning += delta.reasoning ?? "";
      return;
    case "reasoning_content":
      choice.reasoningContent += delta.reasoning_content ?? "";
      if (!delta.reasoning) choice.reasoning += delta.reasoning_content ?? "";
      return;
    case "refusal":
      choice.refusal += delta.refusal ?? "";
      return;
    case "tool_calls":
      for (const call of delta.tool_calls ?? []) gatherCall(choice.toolCalls, call);
      return;
    default:
      if (isList(name)) {
        if (Array.isArray(value)) (choice.lists[name] ??= []).push(...asObjects(value));
      } else choice.message[name] = mergePieces(choice.message[name], value, name);
  }
}

function gatherCall(calls: AccumulatedCall[], delta: NonNullable<Given["delta"]["tool_calls"]>[number]): void {
  const { index, id, type, function: part, custom, ...rest } = delta;
  const isCustom = type === "custom" || Boolean(custom);
  const call = (calls[index] ??= isCustom
    ? { id: "", type: "custom", custom: { name: "", input: "" } }
    : { id: "", type: "function", function: { name: "", arguments: "" } });
  call.id ||= id ?? "";
  if (isCustomCall(call)) {
    const { name, input, ...others } = custom ?? {};
    call.custom.name ||= name ?? "";
    call.custom.input += input ?? "";
    addOthers(call.custom, others);
  } else {
    const { name, arguments: args, ...others } = part ?? {};
    call.function.name ||= name ?? "";
    call.function.arguments += args ?? "";
    addOthers(call.function, others);
  }
  addOthers(call, rest);
}

function addOthers(target: JsonObject, others: JsonObject): void {
  for (const name in others) target[name] = mergePieces(target[name], others[name], name);
}

export const isCustomCall = (call: AccumulatedCall): call is CustomToolCall => call.type === "custom";

/** Returns the name and the arguments of a call. */
export const calledOf = (call: AccumulatedCall): { name: string; words: string } =>
  isCustomCall(call)
    ? { name: call.custom.name, words: call.custom.input }
    : { name: call.function.name, words: call.function.arguments };

import type { ResponseEvent } from "../response-chunk";
import type { OutputItem } from "../contracts/responses-result-contract";

/** A part of an item whose text is streamed. */
export interface TextPart {
  type: keyof typeof WORDS;
  [field: string]: unknown;
}

/** The position of an item's part in the answer. */
interface Place {
  item_id: string | undefined;
  output_index: number;
  index: number;
}

/** Event names for each part type, and the field that contains its text. */
const WORDS = {
  output_text: { field: "text", event: "response.output_text", part: "response.content_part", index: "content_index" },
  refusal: { field: "refusal", event: "response.refusal", part: "response.content_part", index: "content_index" },
  reasoning_text: {
    field: "text",
    event: "response.reasoning_text",
    part: "response.content_part",
    index: "content_index",
  },
  summary_text: {
    field: "text",
    event: "response.reasoning_summary_text",
    part: "response.reasoning_summary_part",
    index: "summary_index",
  },
} as const;

const isTextPart = (part: { type?: unknown }): part is TextPart => typeof part.type === "string" && part.type in WORDS;

const wordsOf = (part: TextPart): string => String(part[WORDS[part.type].field]);
const withWords = (part: TextPart, words: string): TextPart => ({ ...part, [WORDS[part.type].field]: words });

const at = (type: TextPart["type"], { item_id, output_index, index }: Place) => ({
  item_id,
  output_index,
  [WORDS[type].index]: index,
});
const logprobsOf = (type: TextPart["type"], logprobs: unknown) =>
  type === "output_text" ? { logprobs: logprobs ?? [] } : {};

export const partAdded = (part: TextPart, place: Place): ResponseEvent => ({
  type: `${WORDS[part.type].part}.added`,
  ...at(part.type, place),
  part: { ...withWords(part, ""), ...(part.type === "output_text" && { annotations: [], logprobs: [] }) },
});

export const partDelta = (type: TextPart["type"], delta: string, place: Place, logprobs?: unknown): ResponseEvent => ({
  type: `${WORDS[type].event}.delta`,
  ...at(type, place),
  delta,
  ...logprobsOf(type, logprobs),
});

export const partDone = (part: TextPart, place: Place): ResponseEvent[] => [
  {
    type: `${WORDS[part.type].event}.done`,
    ...at(part.type, place),
    [WORDS[part.type].field]: wordsOf(part),
    ...logprobsOf(part.type, part["logprobs"]),
  },
  { type: `${WORDS[part.type].part}.done`, ...at(part.type, place), part },
];

export const annotationAdded = (
  annotation: unknown,
  annotation_index: number,
  { item_id, output_index, index }: Place,
): ResponseEvent => ({
  type: "response.output_text.annotation.added",
  item_id,
  output_index,
  content_index: index,
  annotation_index,
  annotation,
});

/** Builds the opening event of an item, without its text. */
export const itemAdded = (item: OutputItem, output_index: number): ResponseEvent => ({
  type: "response.output_item.added",
  output_index,
  item: {
    ...item,
    ...("status" in item && { status: "in_progress" }),
    ...(Array.isArray(item["content"]) && { content: [] }),
    ...(Array.isArray(item["summary"]) && { summary: [] }),
    ...(item.type === "function_call" && { arguments: "" }),
    ...(item.type === "custom_tool_call" && { input: "" }),
  },
});

export const itemDone = (item: OutputItem, output_index: number): ResponseEvent => ({
  type: "response.output_item.done",
  output_index,
  item,
});

export const argumentsDelta = (delta: string, item_id: string | undefined, output_index: number): ResponseEvent => ({
  type: "response.function_call_arguments.delta",
  item_id,
  output_index,
  delta,
});

export const argumentsDone = (
  call: { name: string; arguments: string },
  item_id: string | undefined,
  output_index: number,
): ResponseEvent => ({
  type: "response.function_call_arguments.done",
  item_id,
  output_index,
  name: call.name,
  arguments: call.arguments,
});

export const inputDelta = (delta: string, item_id: string | undefined, output_index: number): ResponseEvent => ({
  type: "response.custom_tool_call_input.delta",
  item_id,
  output_index,
  delta,
});

export const inputDone = (input: string, item_id: string | undefined, output_index: number): ResponseEvent => ({
  type: "response.custom_tool_call_input.done",
  item_id,
  output_index,
  input,
});

/** Builds all stream events of a completed item. */
export function itemEvents(item: OutputItem, output_index: number): ResponseEvent[] {
  const item_id = typeof item["id"] === "string" ? item["id"] : undefined;
  const parts = (list: unknown) =>
    (Array.isArray(list) ? (list as { type?: unknown }[]) : []).flatMap((part, index) => {
      if (!isTextPart(part)) return [];
      const place = { item_id, output_index, index };
      return [
        partAdded(part, place),
        partDelta(part.type, wordsOf(part), place, part["logprobs"]),
        ...partDone(part, place),
      ];
    });
  const call = item.type === "function_call" ? (item as { name: string; arguments: string }) : null;
  const input = item.type === "custom_tool_call" && typeof item["input"] === "string" ? item["input"] : null;
  return [
    itemAdded(item, output_index),
    ...parts(item["summary"]),
    ...parts(item["content"]),
    ...(call
      ? [argumentsDelta(call.arguments, item_id, output_index), argumentsDone(call, item_id, output_index)]
      : []),
    ...(input === null ? [] : [inputDelta(input, item_id, output_index), inputDone(input, item_id, output_index)]),
    itemDone(item, output_index),
  ];
}

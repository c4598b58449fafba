import type { ResponseChunk, ResponseEvent } from "../response-chunk";
import { toResponsesAnnotation } from "../response-details";
import { thinkingDetails, toSeal } from "../messages/thinking-details";
import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";
import { BrokenResponse } from "../broken-response";
import { MAX_ANSWER_CHARACTERS } from "../accumulate";
import {
  annotationAdded,
  argumentsDelta,
  argumentsDone,
  inputDelta,
  inputDone,
  itemAdded,
  itemDone,
  itemEvents,
  partAdded,
  partDelta,
  partDone,
  type TextPart,
} from "./item-events";
import type { OutputItem } from "../contracts/responses-result-contract";

type Status = "in_progress" | "completed" | "incomplete";

type Part = TextPart & { annotations?: JsonObject[]; logprobs?: JsonObject[] };

/**
 * Reasoning or a message being written; its last part grows until another starts. Reasoning is written as a summary,
 * which clients read even if they don't read its content.
 */
interface OpenText {
  kind: "reasoning" | "message";
  id: string;
  output_index: number;
  parts: Part[];
  /** Encrypted content of reasoning that the upstream accepts in later requests. */
  seal: string | null;
}

interface OpenCall {
  id: string;
  output_index: number;
  call_id: string;
  name: string;
  namespace: string | null;
  isCustom: boolean;
  arguments: string;
}

const EMPTY_PART = {
  output_text: () => ({ type: "output_text", text: "", annotations: [], logprobs: [] }),
  refusal: () => ({ type: "refusal", refusal: "" }),
  summary_text: () => ({ type: "summary_text", text: "" }),
} as const satisfies Record<string, () => Part>;

/**
 * Converts chat completion chunks to Responses events and the output items they describe. Reasoning and messages are
 * consecutive; calls stay open in parallel until the answer ends because their arguments may interleave.
 */
export class OutputWriter {
  /** Completed items by position; complete after `finish`. */
  readonly output: OutputItem[] = [];
  #text: OpenText | null = null;
  #calls = new Map<number, OpenCall>();
  #count = 0;
  #size = 0;

  /**
   * @param generationId Makes item ids unique.
   * @param namespaced Functions of namespaces, see `namespacedTools`.
   */
  constructor(
    private readonly generationId: string,
    private readonly namespaced: ReadonlyMap<string, { namespace: string; name: string }> = new Map(),
  ) {}

  /** Writes a chunk. Throws `BrokenResponse` when the answer is too long for the final event to repeat. */
  write({ choices }: ResponseChunk): ResponseEvent[] {
    const choice = choices.find(({ index }) => index === 0);
    if (!choice) return [];
    const { reasoning: given, reasoning_content, content, refusal, tool_calls, annotations, images } = choice.delta;
    const reasoning = given || reasoning_content;
    const details = thinkingDetails(choice.delta["reasoning_details"]);
    // Filters release details after the text that they repeat.
    const thoughts = reasoning ? details : details.filter(({ text }) => !text);
    const isRepeated = thoughts.some(({ text }) => text);
    const logprobs = asObjects(asObject(choice["logprobs"])?.["content"]).map(toResponsesLogprob);
    return [
      ...(reasoning && !isRepeated ? this.#append("reasoning", "summary_text", reasoning) : []),
      ...thoughts.flatMap((detail) => this.#thought(detail)),
      ...(content ? this.#append("message", "output_text", content, logprobs) : []),
      ...(refusal ? this.#append("message", "refusal", refusal) : []),
      ...asObjects(annotations).flatMap((annotation) => this.#annotate(toResponsesAnnotation(annotation))),
      ...(tool_calls ?? []).flatMap(({ index, id, function: part, custom }) =>
        custom
          ? this.#call(index, { id, name: custom.name, isCustom: true }, custom.input ?? "")
          : this.#call(index, { id, name: part?.name, isCustom: false }, part?.arguments ?? ""),
      ),
      ...asObjects(images).flatMap((image) => this.#image(image)),
    ];
  }

  /** Closes all open items. */
  finish(status: "completed" | "incomplete"): ResponseEvent[] {
    const calls = [...this.#calls.values()].flatMap((call) => {
      const item = callItem(call, status);
      const done = call.isCustom
        ? inputDone(call.arguments, call.id, call.output_index)
        : argumentsDone(call, call.id, call.output_index);
      return [done, ...this.#done(item, call.output_index)];
    });
    this.#calls.clear();
    return [...this.#closeText(status), ...calls];
  }

  /** Writes thinking with its signature, which ends its item. */
  #thought(detail: JsonObject): ResponseEvent[] {
    const text = asText(detail["text"]);
    const said = text ? this.#append("reasoning", "summary_text", text) : [];
    const seal = toSeal(detail);
    if (seal === null) return said;
    const isOpen = this.#text?.kind === "reasoning" && detail["type"] === "reasoning.text";
    const before = isOpen ? [] : [...this.#closeText("completed"), ...this.#openText("reasoning")];
    if (this.#text) this.#text.seal = seal;
    return [...said, ...before, ...this.#closeText("completed")];
  }

  #append(
    kind: OpenText["kind"],
    type: keyof typeof EMPTY_PART,
    words: string,
    logprobs: JsonObject[] = [],
  ): ResponseEvent[] {
    this.#grow(words.length);
    const before = this.#text?.kind === kind ? [] : [...this.#closeText("completed"), ...this.#openText(kind)];
    const text = this.#text;
    if (!text) return before;
    const last = text.parts.at(-1);
    const isSame = last?.type === type;
    const part: Part = isSame ? last : EMPTY_PART[type]();
    if (!isSame) text.parts.push(part);
    const place = placeOf(text);
    const field = type === "refusal" ? "refusal" : "text";
    part[field] = String(part[field]) + words;
    part.logprobs?.push(...logprobs);
    const between = isSame
      ? []
      : [...(last ? partDone(last, { ...place, index: place.index - 1 }) : []), partAdded(part, place)];
    return [...before, ...between, partDelta(type, words, place, logprobs)];
  }

  #annotate(annotation: JsonObject): ResponseEvent[] {
    const annotations = this.#text?.parts.at(-1)?.annotations;
    if (!this.#text || !annotations) return [];
    annotations.push(annotation);
    return [annotationAdded(annotation, annotations.length - 1, placeOf(this.#text))];
  }

  #call(
    index: number,
    { id, name, isCustom }: { id: string | null | undefined; name: string | null | undefined; isCustom: boolean },
    words: string,
  ): ResponseEvent[] {
    this.#grow(words.length);
    const known = this.#calls.get(index);
    const call = known ?? {
      ...this.#place(isCustom ? "ctc" : "fc"),
      call_id: id ?? "",
      ...(this.namespaced.get(name ?? "") ?? { name: name ?? "", namespace: null }),
      isCustom,
      arguments: "",
    };
    const before = known
      ? []
      : [...this.#closeText("completed"), itemAdded(callItem(call, "in_progress"), call.output_index)];
    this.#calls.set(index, call);
    call.arguments += words;
    if (words === "") return before;
    const delta = call.isCustom ? inputDelta : argumentsDelta;
    return [...before, delta(words, call.id, call.output_index)];
  }

  /** Converts a chat completions data URL to a Responses base64 result. */
  #image({ image_url }: JsonObject): ResponseEvent[] {
    const url = asText(asObject(image_url)?.["url"]) ?? "";
    this.#grow(url.length);
    const before = this.#closeText("completed");
    const { id, output_index } = this.#place("ig");
    const item: OutputItem = {
      type: "image_generation_call",
      id,
      status: "completed",
      result: url.replace(/^data:[^,]*,/, ""),
    };
    this.output[output_index] = item;
    return [...before, ...itemEvents(item, output_index)];
  }

  #openText(kind: OpenText["kind"]): ResponseEvent[] {
    this.#text = { kind, ...this.#place(kind === "reasoning" ? "rs" : "msg"), parts: [], seal: null };
    return [itemAdded(textItem(this.#text, "in_progress"), this.#text.output_index)];
  }

  #closeText(status: Status): ResponseEvent[] {
    const text = this.#text;
    if (!text) return [];
    this.#text = null;
    const last = text.parts.at(-1);
    return [...(last ? partDone(last, placeOf(text)) : []), ...this.#done(textItem(text, status), text.output_index)];
  }

  #done(item: OutputItem, output_index: number): ResponseEvent[] {
    this.output[output_index] = item;
    return [itemDone(item, output_index)];
  }

  #place(prefix: string): { id: string; output_index: number } {
    const output_index = this.#count++;
    return { id: `${prefix}_${this.generationId}_${output_index}`, output_index };
  }

  #grow(length: number): void {
    this.#size += length;
    if (this.#size > MAX_ANSWER_CHARACTERS)
      throw new BrokenResponse(`The upstream's response is longer than ${MAX_ANSWER_CHARACTERS} characters`, "");
  }
}

/** Adds the fields that chat completions may omit from a token. */
const toResponsesLogprob = (token: JsonObject): JsonObject => ({
  ...token,
  bytes: token["bytes"] ?? [],
  top_logprobs: asObjects(token["top_logprobs"]).map((other) => ({ ...other, bytes: other["bytes"] ?? [] })),
});

const placeOf = ({ id, output_index, parts }: OpenText) => ({ item_id: id, output_index, index: parts.length - 1 });

const textItem = ({ kind, id, parts, seal }: OpenText, status: Status): OutputItem =>
  kind === "reasoning"
    ? { type: kind, id, status, summary: parts, ...(seal !== null && { encrypted_content: seal }) }
    : { type: kind, id, role: "assistant", status, content: parts };

const callItem = (
  { id, call_id, name, namespace, isCustom, arguments: words }: OpenCall,
  status: Status,
): OutputItem => ({
  ...(isCustom ? { type: "custom_tool_call", input: words } : { type: "function_call", arguments: words }),
  id,
  call_id,
  name,
  ...(namespace !== null && { namespace }),
  status,
});

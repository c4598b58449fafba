import type { ResponseChunk } from "./response-chunk";
import { BrokenResponse } from "./broken-response";
import { isWhole, type ResponseBatches } from "./chunk-batches";
import { customInput } from "./chat/custom-tools";
import { JsonObjectText } from "./json-object-text";
import { StopText } from "./stop-text";

/** Settings that Signalbox applies to an answer, because the upstream's protocol has no field for them. */
export interface Honour {
  /** Texts that end the answer. */
  stop?: readonly string[];
  /** Maximum number of tool calls that are kept. */
  calls?: number;
  /** Set if the text must be one JSON object. */
  isJsonObject?: true;
  /** Names of custom tools that were sent as functions. */
  customTools?: ReadonlySet<string>;
}

type Choice = ResponseChunk["choices"][number];
type Call = NonNullable<Choice["delta"]["tool_calls"]>[number];

/** Applies the settings to the chunks of a converted answer. Throws `BrokenResponse` when that fails. */
export function honouredBatches(batches: ResponseBatches, honour: Honour): ResponseBatches {
  if (Object.keys(honour).length === 0) return batches;
  const choices = new Map<number, HonouredChoice>();
  const apply = (chunks: readonly ResponseChunk[]): ResponseChunk[] =>
    chunks.map(({ responseEvent: _r, messageEvent: _m, ...chunk }) => ({
      ...chunk,
      choices: chunk.choices.map((choice) => {
        const state = choices.get(choice.index) ?? new HonouredChoice(honour);
        choices.set(choice.index, state);
        return state.apply(choice);
      }),
    }));
  if (isWhole(batches)) return wholeBatches(batches, apply);
  return {
    [Symbol.asyncIterator]: () => {
      const source: AsyncIterator<readonly ResponseChunk[], unknown> = batches[Symbol.asyncIterator]();
      return {
        next: async () => {
          const result = await source.next();
          return result.done ? { done: true, value: undefined } : { done: false, value: apply(result.value) };
        },
        return: async () => {
          await source.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** Applies the settings to a whole answer; like a stream, it fails when it is read. */
function wholeBatches(
  batches: Extract<ResponseBatches, readonly unknown[]>,
  apply: (chunks: readonly ResponseChunk[]) => ResponseChunk[],
): ResponseBatches {
  try {
    return batches.map(apply);
  } catch (error) {
    return { [Symbol.asyncIterator]: () => ({ next: async () => raised(error) }) };
  }
}

const raised = (error: unknown): never => {
  throw error;
};

class HonouredChoice {
  readonly #honour: Honour;
  readonly #stop: StopText | null;
  readonly #json: JsonObjectText | null;
  /** Indexes of the calls that are kept. */
  readonly #kept = new Set<number>();
  readonly #custom = new Map<number, { call: Call; words: string }>();

  constructor(honour: Honour) {
    this.#honour = honour;
    this.#stop = honour.stop ? new StopText(honour.stop) : null;
    this.#json = honour.isJsonObject ? new JsonObjectText() : null;
  }

  apply(choice: Choice): Choice {
    const { delta, finish_reason } = choice;
    const { content: given, tool_calls: calls, ...rest } = delta;
    const isEnd = Boolean(finish_reason);
    const content = this.#text(given, isEnd);
    const tool_calls = [...this.#calls(calls ?? []), ...(isEnd ? this.#customCalls() : [])];
    if (isEnd) this.#check(finish_reason);
    const { logprobs, ...about } = choice;
    return {
      ...about,
      ...(logprobs !== undefined && content === (given ?? undefined) && { logprobs }),
      delta: {
        ...rest,
        ...(content !== undefined && { content }),
        ...(tool_calls.length > 0 && { tool_calls }),
      },
      ...(isEnd && { finish_reason: this.#finish(String(finish_reason)) }),
    };
  }

  #text(given: string | null | undefined, isEnd: boolean): string | null | undefined {
    if (!this.#stop && !this.#json) return given;
    let text = given ?? "";
    if (this.#stop) text = this.#stop.add(text) + (isEnd ? this.#stop.end() : "");
    if (this.#json) text = this.#json.add(text);
    return text === "" ? (given === null ? null : undefined) : text;
  }

  #calls(calls: readonly Call[]): Call[] {
    const { calls: most, customTools } = this.#honour;
    if (this.#stop?.isStopped) return [];
    return calls.flatMap((call) => {
      const { index } = call;
      if (!this.#kept.has(index)) {
        if (most !== undefined && this.#kept.size >= most) return [];
        this.#kept.add(index);
      }
      const words = call.function?.arguments ?? "";
      const held = this.#custom.get(index);
      if (held) held.words += words;
      else if (customTools?.has(call.function?.name ?? "")) this.#custom.set(index, { call, words });
      else return [call];
      return [];
    });
  }

  #customCalls(): Call[] {
    return [...this.#custom.values()].map(({ call: { function: called, ...call }, words }) => ({
      ...call,
      type: "custom",
      custom: { name: called?.name ?? "", input: customInput(words) },
    }));
  }

  /** Returns the finish reason: an answer that was cut, or that lost all its calls, stopped. */
  #finish(reason: string): string {
    if (this.#stop?.isStopped) return "stop";
    return reason === "tool_calls" && this.#kept.size === 0 ? "stop" : reason;
  }

  #check(reason: string | null | undefined): void {
    if (!this.#json || this.#json.isComplete || reason !== "stop" || this.#kept.size > 0) return;
    throw new BrokenResponse("The model's answer is not a JSON object, as `response_format` asks for", "");
  }
}

import type { ResponseChunk, UpstreamReader } from "../response-chunk";
import { summedUsage } from "../completions/summed-usage";
import type { ChatUsage } from "../contracts/chat-result-contract";
import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";
import { PREAMBLE, ResponsesUpstreamReader } from "./upstream-reader";

/**
 * Reads the answer of an upstream that speaks Responses. Some upstreams answer in phases, with several responses in one
 * stream, so an answer is complete only when its stream ends or no other phase begins.
 */
export class PhasedUpstreamReader implements UpstreamReader {
  readonly isComplete = false;
  readonly #phase: ResponsesUpstreamReader;
  /** The end of the latest phase, until another phase begins. */
  #ending: ResponseChunk | null = null;
  #hasNext = false;
  /** Output items of earlier phases, and their usage by response id. */
  #output: JsonObject[] = [];
  readonly #usages = new Map<string | null, ChatUsage>();

  constructor(seed: string) {
    this.#phase = new ResponsesUpstreamReader(seed);
  }

  get isEnding(): boolean {
    return this.#ending !== null && !this.#hasNext;
  }

  read(event: unknown): ResponseChunk[] {
    const isPreamble = PREAMBLE.has(asText(asObject(event)?.["type"]) ?? "");
    if (this.isEnding && !isPreamble) return [];
    this.#hasNext ||= this.#ending !== null;
    const chunks = this.#phase.read(event);
    const last = chunks.at(-1);
    if (!last) return [];
    const before = this.#continued();
    if (!this.#phase.isComplete) return [...before, ...chunks];
    this.#phase.isComplete = false;
    this.#ending = this.#joined(last);
    return [...before, ...chunks.slice(0, -1)];
  }

  readWhole(body: unknown): ResponseChunk[] {
    return this.#phase.readWhole(body);
  }

  end(): ResponseChunk[] {
    return this.#ending ? [this.#ending] : this.#phase.end();
  }

  /** Returns the chunks for the end of a phase when another phase follows. */
  #continued(): ResponseChunk[] {
    const ending = this.#ending;
    this.#ending = null;
    this.#hasNext = false;
    if (!ending) return [];
    this.#output = asObjects(asObject(ending.responseEvent?.["response"])?.["output"]);
    return ending.choices
      .filter(({ delta }) => Object.keys(delta).length > 0)
      .map(({ delta }) => ({ id: ending.id, choices: [{ index: 0, delta, finish_reason: null }] }));
  }

  /** Adds the output and usage of earlier phases to the end of a phase. */
  #joined(ending: ResponseChunk): ResponseChunk {
    const response = asObject(ending.responseEvent?.["response"]) ?? {};
    if (ending.usage) this.#usages.set(asText(response["id"]), ending.usage);
    const usages = [...this.#usages.values()];
    const own = asObjects(response["output"]);
    const earlier = this.#output.filter((item) => !own.some((other) => isSame(item, other)));
    if (usages.length < 2 && earlier.length === 0) return ending;
    const responseEvent = ending.responseEvent && {
      ...ending.responseEvent,
      response: { ...response, output: [...earlier, ...own] },
    };
    return { ...ending, usage: summedUsage(usages) ?? null, ...(responseEvent && { responseEvent }) };
  }
}

const isSame = (item: JsonObject, other: JsonObject): boolean =>
  ["call_id", "id"].some((name) => asText(item[name]) !== null && item[name] === other[name]);

import "server-only";
import { accumulate, newAccumulated, type AccumulatedResponse } from "../engine/protocols/accumulate";
import type { ResponseChunk } from "../engine/protocols/response-chunk";
import { isWhole, type ResponseBatches } from "../engine/protocols/chunk-batches";
import type { ChatUsage } from "../engine/protocols/contracts/chat-result-contract";
import { laterUsage } from "../engine/protocols/read-usage";
import { isResponsePart, mayReason } from "../engine/routing/hidden-reasoning";
import { PlainSignal, type Signal } from "../platform/signal";
import type { FirstResponse } from "./upstream/upstream-client";

/**
 * Milliseconds to keep reading after the client disconnected. Text that the model writes meanwhile is billed; a later
 * usage report is free.
 */
const UNFINISHED_MS = 1000;
const FINISHED_MS = 5000;
const MAX_LATE_CHARACTERS = 1_000_000;

type Batch = readonly ResponseChunk[];

/**
 * Reads a streamed response. When its client disconnects, reading continues for a moment if usage may still be
 * reported; otherwise a client that leaves with the whole response wouldn't be charged for hidden reasoning.
 */
export class StreamReading {
  /** Aborts when the upstream should stop. */
  readonly signal = new PlainSignal();
  /** The part of the response read after the client disconnected. */
  readonly late: AccumulatedResponse = newAccumulated();
  /** Usage of the whole response; null until it is reported. */
  usage: ChatUsage | null = null;
  readonly #disconnected: Signal;
  readonly #open = new Set<number>();
  #state: "waiting" | "reading" | "ended" = "waiting";
  #isFinished = false;
  #mayReason = false;
  #start = 0;
  #answeredAt: number | null = null;
  #waitMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(disconnected: Signal) {
    this.#disconnected = disconnected;
    if (disconnected.aborted) this.#stop();
    else disconnected.addEventListener("abort", this.#leave, { once: true });
  }

  /** Milliseconds from the attempt's start to the first text or tool call of the response, or until now without one. */
  get unansweredMs(): number {
    return (this.#answeredAt ?? performance.now()) - this.#start;
  }

  /** Returns the chunks of a response, to be read once. */
  read({ chunks, endpoint, attempts }: Pick<FirstResponse, "chunks" | "endpoint" | "attempts">): ResponseBatches {
    this.#start = performance.now() - (attempts.at(-1)?.latency_ms ?? 0);
    if (isWhole(chunks)) {
      this.#end();
      return chunks;
    }
    this.#mayReason = mayReason(endpoint);
    if (this.#state === "waiting") this.#state = "reading";
    const batches = chunks[Symbol.asyncIterator]();
    const pull = () =>
      batches.next().then(
        (result) => {
          if (result.done) this.#end();
          else this.#note(result.value);
          return result;
        },
        (error: unknown) => {
          this.#end();
          throw error;
        },
      );
    const close = async (): Promise<IteratorResult<Batch, undefined>> => {
      if (this.#disconnected.aborted) await this.#readOn(pull);
      this.#end();
      await batches.return?.();
      return { done: true, value: undefined };
    };
    const next = async (): Promise<IteratorResult<Batch, void>> => {
      const result = this.#disconnected.aborted ? null : await pull();
      if (result && !this.#disconnected.aborted) return result;
      if (result && !result.done) this.#keep(result.value);
      const closed = await close();
      this.#disconnected.throwIfAborted();
      return closed;
    };
    return { [Symbol.asyncIterator]: () => ({ next, return: close }) };
  }

  #keep(chunks: Batch): void {
    for (const chunk of chunks) accumulate(this.late, chunk);
  }

  async #readOn(pull: () => Promise<IteratorResult<Batch, void>>): Promise<void> {
    try {
      while (this.usage === null && !this.signal.aborted && this.late.size < MAX_LATE_CHARACTERS) {
        const result = await pull();
        if (result.done) return;
        this.#keep(result.value);
      }
    } catch {
      // The upstream was stopped or disconnected, so usage is estimated.
    }
    this.#stop();
  }

  #note(chunks: Batch): void {
    for (const chunk of chunks) {
      for (const { index, finish_reason } of chunk.choices)
        if (finish_reason) this.#open.delete(index);
        else this.#open.add(index);
      if (chunk.choices.length > 0) this.#isFinished = this.#open.size === 0;
      if (this.#isFinished && chunk.usage) this.usage = laterUsage(this.usage, chunk.usage);
      if (this.#answeredAt === null && isResponsePart(chunk)) this.#answeredAt = performance.now();
    }
    if (this.#disconnected.aborted) this.#leave();
  }

  /**
   * Stops the upstream when waiting is no longer useful. Called when the client disconnects, and with each later part.
   */
  readonly #leave = (): void => {
    const ms = this.#isFinished ? FINISHED_MS : this.#mayReason ? UNFINISHED_MS : 0;
    if (this.#state !== "reading" || this.usage !== null || ms === 0) {
      this.#stop();
      return;
    }
    if (ms <= this.#waitMs) return;
    this.#waitMs = ms;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#stop, ms);
  };

  readonly #stop = (): void => {
    this.#end();
    this.signal.abort(this.#disconnected.reason);
  };

  #end(): void {
    this.#state = "ended";
    clearTimeout(this.#timer);
    this.#disconnected.removeEventListener("abort", this.#leave);
  }
}

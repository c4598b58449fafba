import "server-only";
import type { Dispatcher } from "undici";
import { PlainHeaders } from "../http/plain-headers";
import type { Signal } from "../signal";
import { failureOf, OutboundFailure, type Peer } from "./failure";

type Controller = Dispatcher.DispatchController;
type Chunk = IteratorResult<Uint8Array, undefined>;

/** Status and headers of a response. */
export interface Head {
  status: number;
  headers: Headers;
}

/** Number of unread bytes above which receiving pauses. */
const MOST_BUFFERED = 64 * 1024;
const DONE: Chunk = { done: true, value: undefined };

/**
 * One request on a connection, and its response at the reader's pace. It uses the client's events directly, because streams in between
 * cost as much as the rest of a request. Everything that has arrived is read as one part, because the client reports each HTTP chunk
 * separately. Ending the iteration early closes the connection.
 */
export class Exchange implements Dispatcher.DispatchHandler, AsyncIterable<Uint8Array> {
  readonly head: Promise<Head>;
  readonly #peer: Peer;
  readonly #signal: Signal;
  readonly #onSent: (() => void) | undefined;
  #settleHead: { resolve: (head: Head) => void; reject: (error: unknown) => void } | null = null;
  #controller: Controller | null = null;
  #ready: Uint8Array[] = [];
  #buffered = 0;
  #received = 0;
  #maxBytes = Infinity;
  /** Continues a reader that waits for the next part or the end. */
  #wake: (() => void) | null = null;
  #end: { error: Error } | "complete" | null = null;

  constructor(peer: Peer, signal: Signal, onSent: (() => void) | undefined) {
    this.#peer = peer;
    this.#signal = signal;
    this.#onSent = onSent;
    this.head = new Promise((resolve, reject) => (this.#settleHead = { resolve, reject }));
    signal.addEventListener("abort", this.#abort, { once: true });
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#end) controller.abort(new Error("aborted"));
    else this.#onSent?.();
  }

  onResponseStart(_: Controller, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200) return;
    const received = new PlainHeaders();
    for (const name in headers) received.set(name, String(headers[name] ?? ""));
    this.#settleHead?.resolve({ status, headers: received });
    this.#settleHead = null;
  }

  onResponseData(controller: Controller, chunk: Uint8Array): void {
    if (this.#end) return;
    this.#received += chunk.length;
    if (this.#received > this.#maxBytes) {
      this.#closeTooLong();
      return;
    }
    this.#ready.push(chunk);
    this.#buffered += chunk.length;
    if (this.#buffered > MOST_BUFFERED) controller.pause();
    this.#wakeReader();
  }

  onResponseEnd(): void {
    this.#finish("complete");
  }

  onResponseError(_: Controller, error: Error): void {
    this.#finish({ error: failureOf(error, this.#peer) });
  }

  /** Limits the size of the body; a larger body is a failure. */
  limit(maxBytes: number): void {
    this.#maxBytes = maxBytes;
    if (this.#received > maxBytes) this.#closeTooLong();
  }

  #closeTooLong(): void {
    this.close(new OutboundFailure(null, `The ${this.#peer}'s answer is longer than ${this.#maxBytes} bytes`));
  }

  /** Ends the exchange and its connection; later reads fail with the error. */
  close(error: Error): void {
    if (this.#end) return;
    this.#finish({ error });
    this.#controller?.abort(new Error("closed"));
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    return {
      next: () => this.#next(),
      return: () => {
        this.close(new OutboundFailure(null, "The answer was closed"));
        return Promise.resolve(DONE);
      },
    };
  }

  #next(): Promise<Chunk> {
    if (this.#ready.length > 0) return Promise.resolve({ done: false, value: this.#take() });
    if (this.#end === "complete") return Promise.resolve(DONE);
    if (this.#end) return Promise.reject(this.#end.error);
    return new Promise<void>((resolve) => (this.#wake = resolve)).then(() => this.#next());
  }

  /** Returns everything that has arrived, and resumes receiving. */
  #take(): Uint8Array {
    const parts = this.#ready;
    this.#ready = [];
    this.#buffered = 0;
    if (this.#controller?.paused) this.#controller.resume();
    return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
  }

  #wakeReader(): void {
    this.#wake?.();
    this.#wake = null;
  }

  readonly #abort = (): void => {
    this.#ready = [];
    this.close(this.#signal.reason as Error);
  };

  #finish(end: { error: Error } | "complete"): void {
    if (this.#end) return;
    this.#end = end;
    this.#signal.removeEventListener("abort", this.#abort);
    if (end !== "complete") this.#settleHead?.reject(end.error);
    this.#settleHead = null;
    this.#wakeReader();
  }
}

/** The part of an `AbortSignal` that requests use. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted: () => void;
  addEventListener: (type: "abort", listener: () => void, options?: { once?: boolean }) => void;
  removeEventListener: (type: "abort", listener: () => void) => void;
}

/**
 * A signal and its controller, at a fraction of the cost of the runtime's.
 */
export class PlainSignal implements Signal {
  aborted = false;
  reason: unknown = undefined;
  #listeners: (() => void)[] = [];

  /** Calls each listener once; has no effect if the signal is already aborted. */
  readonly abort = (reason: unknown = new DOMException("This operation was aborted", "AbortError")): void => {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  };

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  addEventListener(_: "abort", listener: () => void): void {
    if (!this.aborted && !this.#listeners.includes(listener)) this.#listeners.push(listener);
  }

  removeEventListener(_: "abort", listener: () => void): void {
    const index = this.#listeners.indexOf(listener);
    if (index >= 0) this.#listeners.splice(index, 1);
  }
}

/** Returns a signal that aborts with another one, and can also be aborted separately. */
export function following(signal: Signal): PlainSignal {
  const own = new PlainSignal();
  if (signal.aborted) own.abort(signal.reason);
  else signal.addEventListener("abort", () => own.abort(signal.reason), { once: true });
  return own;
}

/** Returns a signal of the runtime that aborts with this one, for functions that need it. */
export function standardSignal(signal: Signal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  if (signal.aborted) controller.abort(signal.reason);
  else signal.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
  return controller.signal;
}

/**
 * Settles like `work`, or rejects if the signal aborts first. Uses a new promise for each call, because racing with a shared promise
 * retains every result.
 */
export async function unlessAborted<T>(signal: Signal, work: Promise<T>): Promise<T> {
  let abort: () => void = () => undefined;
  const aborted = new Promise<void>((resolve) => {
    abort = resolve;
  }).then(() => {
    throw signal.reason;
  });
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

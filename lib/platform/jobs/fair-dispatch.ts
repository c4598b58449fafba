import "server-only";

/** An attempt to send something to a receiver of an organization, which is due. */
export interface Due {
  id: string;
  receiver: string;
  organizationId: string;
}

/** Maximum number of attempts that a process runs at once. */
export interface Shares {
  total: number;
  ofOrganization: number;
  ofReceiver: number;
}

export interface Dispatched<T extends Due> {
  /** Returns due work, beginning with the first attempt of each receiver; at most `ofReceiver` attempts of a receiver are needed. */
  find: () => Promise<readonly T[]>;
  /** Claims and does the work; returns false if another process has claimed it. */
  run: (due: T) => Promise<boolean>;
  shares: Shares;
  failed: (error: unknown) => void;
  signal: AbortSignal;
}

const isStopping = ({ aborted }: AbortSignal): boolean => aborted;

/**
 * Runs due work, with a share for each receiver and organization, so that a slow receiver delays only itself. A receiver's first
 * attempt doesn't count against its organization's share.
 */
export class FairDispatch<T extends Due> {
  readonly #dispatched: Dispatched<T>;
  readonly #running = new Map<string, { due: T; ended: Promise<void> }>();
  #looking: Promise<void> | null = null;
  #looksAgain = false;

  constructor(dispatched: Dispatched<T>) {
    this.#dispatched = dispatched;
  }

  /** Starts due work within the shares, and more when some of it has ended, without waiting for it. */
  look(): Promise<void> {
    this.#looksAgain = this.#looking !== null;
    return (this.#looking ??= this.#start().finally(() => {
      this.#looking = null;
      if (this.#looksAgain) void this.look();
    }));
  }

  /** Waits until nothing is running. */
  async idle(): Promise<void> {
    for (;;) {
      await this.#looking;
      if (this.#running.size === 0 && this.#looking === null) return;
      await Promise.all([...this.#running.values()].map(({ ended }) => ended));
    }
  }

  async #start(): Promise<void> {
    const { find, failed, signal } = this.#dispatched;
    if (isStopping(signal)) return;
    try {
      const found = await find();
      signal.throwIfAborted();
      for (const due of found) if (this.#hasShare(due)) this.#run(due);
    } catch (error) {
      if (!isStopping(signal)) failed(error);
    }
  }

  #hasShare({ id, receiver, organizationId }: T): boolean {
    const { total, ofOrganization, ofReceiver } = this.#dispatched.shares;
    if (this.#running.has(id) || this.#running.size >= total) return false;
    const running = [...this.#running.values()].map(({ due }) => due);
    const own = running.filter((due) => due.receiver === receiver).length;
    if (own === 0) return true;
    return own < ofReceiver && running.filter((due) => due.organizationId === organizationId).length < ofOrganization;
  }

  #run(due: T): void {
    const { run, failed, signal } = this.#dispatched;
    const ended = run(due)
      .catch((error: unknown) => {
        if (!isStopping(signal)) failed(error);
        return false;
      })
      .then((hasRun) => {
        this.#running.delete(due.id);
        if (hasRun) void this.look();
      });
    this.#running.set(due.id, { due, ended });
  }
}

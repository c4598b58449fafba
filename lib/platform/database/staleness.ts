/** A position in the primary's write-ahead log, and a time at which the primary hadn't passed it. */
interface Sample {
  at: number;
  position: bigint;
}

/** Enough for five minutes; a standby that lags more isn't read anyway. */
const MOST_SAMPLES = 600;

/**
 * Bounds the age of a standby's data. After replaying a position, the standby has everything that was committed before the primary
 * reached that position. Only the clock of the process is used.
 */
export class Staleness {
  #samples: Sample[] = [];
  #replayed: bigint | null = null;
  #currentAt = -Infinity;

  /** Notes the primary's position, read after `at`. A standby that is ahead of the primary has another history. */
  noteWritten(at: number, position: bigint): void {
    if (this.#replayed !== null && this.#replayed > position) this.reset();
    this.#samples.push({ at, position });
    if (this.#samples.length > MOST_SAMPLES) this.#samples.shift();
  }

  noteReplayed(position: bigint): void {
    this.#replayed = position;
    const reached = this.#samples.findLastIndex((sample) => sample.position <= position);
    for (const { at } of this.#samples.splice(0, reached + 1)) this.#currentAt = Math.max(this.#currentAt, at);
  }

  /** Forgets everything: the standby counts as outdated until it has reached a new position. */
  reset(): void {
    this.#samples = [];
    this.#replayed = null;
    this.#currentAt = -Infinity;
  }

  /** Milliseconds for which the standby may have missed commits. */
  at(now: number): number {
    return now - this.#currentAt;
  }
}

/** The longest time that a scan is expected to take inline. */
const MOST_MS = 2;
/** A scan that takes longer counts as slow. */
const SLOW_MS = 8;
/** Expected cost of a rule per code unit, until it has been measured. */
const NS_PER_RULE = 15;
/** Weight of a new measurement, and factor that lowers an estimate each time it excludes a scan, so that a scan is tried again. */
const WEIGHT = 0.2;
const FORGETTING = 0.95;
/** Shorter texts are measured as if they had so many code units. */
const LEAST_UNITS = 256;
/** A single scan may take long because the process waited for a processor or collected garbage. */
const MOST_SLOW_SCANS = 1.5;
/** Time for which a set of rules isn't scanned inline after it took too long: at first, and at most when it recurs. */
const FIRST_PENALTY_MS = 100;
const MOST_PENALTY_MS = 60_000;

/** Time spent in the last second; older time counts less and less. */
export class Spent {
  #ms = 0;
  #at = 0;

  share(now: number): number {
    return (this.#ms * Math.exp((this.#at - now) / 1000)) / 1000;
  }

  add(ms: number, now: number): void {
    this.#ms = this.share(now) * 1000 + ms;
    this.#at = now;
  }
}

/** The cost of inline scans with a set of rules, measured on earlier scans. Times are milliseconds of one clock. */
export class ScanCost {
  #nsPerUnit: number;
  #slowUntil = 0;
  #penaltyMs = FIRST_PENALTY_MS;
  /** Recent scans that took too long; older ones count less and less. */
  #slowScans = 0;

  constructor(rules: number) {
    this.#nsPerUnit = NS_PER_RULE * rules;
  }

  expectedMs(units: number): number {
    return (this.#nsPerUnit * units) / 1e6;
  }

  /** Returns true if a scan is expected to be short. */
  isShort(units: number, now: number): boolean {
    if (this.#slowUntil > now) return false;
    if (this.expectedMs(units) <= MOST_MS) return true;
    this.#nsPerUnit *= FORGETTING;
    return false;
  }

  /** Records the duration of a scan. */
  measure(units: number, ranMs: number): void {
    this.#nsPerUnit += WEIGHT * ((ranMs * 1e6) / Math.max(units, LEAST_UNITS) - this.#nsPerUnit);
  }

  /** Records whether a scan was slow. After two slow scans in a row, or nearly so, `isShort` is false for a while. */
  judge(ranMs: number, isStopped: boolean, now: number): void {
    this.#slowScans = this.#slowScans * FORGETTING + (isStopped || ranMs > SLOW_MS ? 1 : 0);
    if (this.#slowScans < MOST_SLOW_SCANS) {
      this.#penaltyMs = Math.max(FIRST_PENALTY_MS, this.#penaltyMs * FORGETTING);
      return;
    }
    this.#slowScans = 0;
    this.#slowUntil = now + this.#penaltyMs;
    this.#penaltyMs = Math.min(MOST_PENALTY_MS, this.#penaltyMs * 8);
  }
}

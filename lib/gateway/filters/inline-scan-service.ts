import "server-only";
import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { BUILTIN_DETECTORS } from "../../engine/filters/builtin-detectors";
import { preparingWords } from "../../engine/filters/detectors/prompt-injection-gate";
import { compiling, type PatternFinder } from "../../engine/filters/pattern-set";
import { patternsOf } from "../../engine/filters/scan";
import { PROMPT_INJECTION_BUILTIN } from "../../records/guardrails/vocabulary";
import { runTask, SAMPLE, type ScanOutcome, type ScanTask } from "./scan-task";

/** The longest text that is scanned inline, in UTF-16 code units. */
const MOST_UNITS = 16 * 1024;
/** Length that each text of a scan adds, because its preparation costs as much. */
const UNITS_PER_LEAF = 64;
/** The longest time that a scan is expected to take inline, and the time after which it is given to a thread. */
const MOST_MS = 2;
const STOP_MS = 4;
/** Sets of more patterns are always scanned in threads. */
const MOST_PATTERNS = 64;
/** Bound of the worst case: size of all compiled patterns times the length of the text. */
const MOST_STEPS = 4_000_000;
/** Expected cost of a rule per code unit, until it has been measured. */
const NS_PER_RULE = 15;
/** Weight of a new measurement, and factor by which an estimate falls when it excludes a scan, so that it is tried again. */
const WEIGHT = 0.2;
const FORGETTING = 0.95;
/** A single scan may take long because the process waited for a processor or collected garbage. */
const MOST_SLOW_SCANS = 1.5;
/** Time for which a set of rules is scanned in threads after it took too long: at first, and at most when it recurs. */
const FIRST_PENALTY_MS = 100;
const MOST_PENALTY_MS = 60_000;
/** Share of the event loop's time that inline scans of one caller, and of all, may take; averaged over a second. */
const SHARE_OF_OWNER = 0.4;
const SHARE_OF_ALL = 0.6;
/** Largest text and longest expected time of a scan to which these shares don't apply: a message to a thread costs about as much. */
const SMALL_UNITS = 2048;
const SMALL_MS = 1;

/** A set of rules that was scanned before. */
interface Prepared {
  /** Null until the patterns are compiled. */
  patterns: PatternFinder | null;
  nsPerUnit: number;
  slowUntilMs: number;
  penaltyMs: number;
  /** Recent scans that took too long; older ones count less and less. */
  slowScans: number;
}

/** Time spent in the last second; older time counts less and less. */
class Spent {
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

const unitsOf = ({ leaves }: Pick<ScanTask, "leaves">) =>
  leaves.reduce((sum, { text }) => sum + text.length + UNITS_PER_LEAF, 0);

/**
 * Scans small texts on the event loop, where that is cheaper than a message to a thread: those that are expected to take
 * a few milliseconds at most, by what scans with the same rules took. The first scan with a set of rules goes to a thread
 * while its patterns are compiled here.
 */
export class InlineScans {
  /** Sets by their detectors, and by the rules themselves for callers that keep them. */
  readonly #sets = new LRUCache<string, Prepared>({ max: 64 });
  readonly #byRules = new WeakMap<ScanTask["rules"], Prepared>();
  readonly #owners = new LRUCache<string, Spent>({ max: 1000, memoMethod: () => new Spent() });
  readonly #all = new Spent();
  readonly #warm = new Set<string>();
  #preparing: Promise<void> = Promise.resolve();

  /** Runs a scan; null when it has to run in a thread. */
  run(task: ScanTask, owner: string): { outcome: ScanOutcome; ranMs: number } | null {
    const units = unitsOf(task);
    if (units > MOST_UNITS) return null;
    const set = this.#byRules.get(task.rules) ?? this.#prepared(task);
    const spent = this.#owners.memo(owner);
    const start = performance.now();
    if (!set?.patterns || set.slowUntilMs > start || set.patterns.size * units > MOST_STEPS) return null;
    const expectedMs = (set.nsPerUnit * units) / 1e6;
    const isSmall = units <= SMALL_UNITS && expectedMs <= SMALL_MS;
    if (!isSmall && (spent.share(start) > SHARE_OF_OWNER || this.#all.share(start) > SHARE_OF_ALL)) return null;
    if (expectedMs > MOST_MS) {
      set.nsPerUnit *= FORGETTING;
      return null;
    }
    const outcome = runTask(
      { ...task, stopMs: Math.min(task.stopMs, STOP_MS) },
      { builtins: BUILTIN_DETECTORS, patterns: set.patterns },
      () => performance.now(),
    );
    const end = performance.now();
    const ranMs = end - start;
    spent.add(ranMs, end);
    this.#all.add(ranMs, end);
    set.nsPerUnit += WEIGHT * ((ranMs * 1e6) / Math.max(units, 256) - set.nsPerUnit);
    const isStopped = "stopped" in outcome && outcome.stopped === "timeout";
    set.slowScans *= FORGETTING;
    if (isStopped || ranMs > 2 * STOP_MS) set.slowScans += 1;
    if (set.slowScans >= MOST_SLOW_SCANS) {
      set.slowScans = 0;
      set.slowUntilMs = end + set.penaltyMs;
      set.penaltyMs = Math.min(MOST_PENALTY_MS, set.penaltyMs * 8);
    } else set.penaltyMs = Math.max(FIRST_PENALTY_MS, set.penaltyMs * FORGETTING);
    return isStopped ? null : { outcome, ranMs };
  }

  /** Returns when all sets of rules seen so far are compiled. */
  ready(): Promise<void> {
    return this.#preparing;
  }

  #prepared({ rules }: Pick<ScanTask, "rules">): Prepared | null {
    const key = JSON.stringify(rules.map(({ detector }) => detector));
    const known = this.#sets.get(key);
    if (known) {
      this.#byRules.set(rules, known);
      return known;
    }
    const patterns = patternsOf(rules);
    if (patterns.length > MOST_PATTERNS) return null;
    const set: Prepared = {
      patterns: null,
      nsPerUnit: NS_PER_RULE * rules.length,
      slowUntilMs: 0,
      penaltyMs: FIRST_PENALTY_MS,
      slowScans: 0,
    };
    this.#sets.set(key, set);
    this.#preparing = this.#preparing.then(() => this.#prepare(set, rules, patterns)).catch(() => undefined);
    return set;
  }

  /** Loads detectors and compiles patterns, giving way to requests after each; a set that doesn't compile stays without. */
  async #prepare(set: Prepared, rules: ScanTask["rules"], patterns: readonly string[]): Promise<void> {
    for (const { detector } of rules) {
      if (detector.kind === "pattern" || this.#warm.has(detector.slug)) continue;
      await setImmediate();
      if (detector.slug === PROMPT_INJECTION_BUILTIN)
        for (const steps = preparingWords(); !steps.next().done;) await setImmediate();
      BUILTIN_DETECTORS[detector.slug](SAMPLE);
      this.#warm.add(detector.slug);
    }
    for (const steps = compiling(patterns); set.patterns === null;) {
      await setImmediate();
      const step = steps.next();
      if (!step.done) continue;
      // The first scan compiles what the engine compiles late.
      const leaves = [{ text: SAMPLE, form: "text" as const, isUser: true }];
      const finders = { builtins: BUILTIN_DETECTORS, patterns: step.value };
      runTask({ rules, leaves, phrases: [], stopMs: Infinity }, finders, () => performance.now());
      set.patterns = step.value;
    }
  }
}

import "server-only";
import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { BUILTIN_DETECTORS } from "../../engine/filters/builtin-detectors";
import { compiling, type PatternFinder } from "../../engine/filters/pattern-set";
import { patternsOf } from "../../engine/filters/scan";
import { ScanCost, Spent } from "./scan-cost";
import { runTask, SAMPLE, type ScanOutcome, type ScanTask } from "./scan-task";

/** The longest text that is scanned inline, in UTF-16 code units. */
const MOST_UNITS = 16 * 1024;
/** Length that each text of a scan adds, because its preparation costs as much. */
const UNITS_PER_LEAF = 64;
/** The time after which a scan is given to a thread. */
const STOP_MS = 4;
/** Sets of more patterns are always scanned in threads. */
const MOST_PATTERNS = 64;
/** Bound of the worst case: size of all compiled patterns times the length of the text. */
const MOST_STEPS = 4_000_000;
/** Share of the event loop's time that inline scans of one caller, and of all, may take; averaged over a second. */
const SHARE_OF_OWNER = 0.4;
const SHARE_OF_ALL = 0.6;
/** Largest text and longest expected time of a scan to which these shares don't apply: a message to a thread costs about as much. */
const SMALL_UNITS = 2048;
const SMALL_MS = 1;
/**
 * Detectors must run this long on the event loop until V8 has compiled them; scans take up to ten times as long before. Until then,
 * they may use this share of the event loop's time, however slow they are: code that runs only in threads is never compiled here.
 */
const LEARNING_MS = 1000;
const SHARE_OF_LEARNING = 0.1;

/** A set of rules that was scanned before. */
interface Prepared {
  /** Null until the patterns are compiled. */
  patterns: PatternFinder | null;
  cost: ScanCost;
  /** Time to scan until its detectors are compiled. */
  msToLearn: number;
}

function unitsOf({ leaves }: Pick<ScanTask, "leaves">): number {
  let sum = 0;
  for (const { text } of leaves) sum += text.length + UNITS_PER_LEAF;
  return sum;
}

const now = () => performance.now();

const builtinsOf = ({ rules }: Pick<ScanTask, "rules">) =>
  rules.flatMap(({ detector }) => (detector.kind === "builtin" ? [detector.slug] : []));

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
  readonly #learning = new Spent();
  /** Detectors that are loaded, and those that V8 has compiled. */
  readonly #loaded = new Set<string>();
  readonly #learned = new Set<string>();
  #preparing: Promise<void> = Promise.resolve();

  /** Runs a scan; null when it has to run in a thread. */
  run(task: ScanTask, owner: string): { outcome: ScanOutcome; ranMs: number } | null {
    const units = unitsOf(task);
    if (units > MOST_UNITS) return null;
    const set = this.#byRules.get(task.rules) ?? this.#prepared(task);
    if (!set?.patterns || set.patterns.size * units > MOST_STEPS) return null;
    const start = performance.now();
    const isLearning = set.msToLearn > 0;
    const mayLearn = isLearning && this.#learning.share(start) <= SHARE_OF_LEARNING;
    if (!mayLearn && !this.#mayRun(set, units, owner, start)) return null;
    const { rules, leaves, phrases, mostSpans } = task;
    const outcome = runTask(
      { rules, leaves, phrases, mostSpans, stopMs: Math.min(task.stopMs, STOP_MS) },
      { builtins: BUILTIN_DETECTORS, patterns: set.patterns },
      now,
    );
    const end = performance.now();
    const ranMs = end - start;
    const isStopped = "stopped" in outcome && outcome.stopped === "timeout";
    this.#owners.memo(owner).add(ranMs, end);
    this.#all.add(ranMs, end);
    set.cost.measure(units, ranMs);
    if (isLearning) {
      this.#learning.add(ranMs, end);
      set.msToLearn -= ranMs;
      if (set.msToLearn <= 0) for (const slug of builtinsOf(task)) this.#learned.add(slug);
    } else set.cost.judge(ranMs, isStopped, end);
    return isStopped ? null : { outcome, ranMs };
  }

  #mayRun({ cost }: Prepared, units: number, owner: string, now: number): boolean {
    if (!cost.isShort(units, now)) return false;
    if (units <= SMALL_UNITS && cost.expectedMs(units) <= SMALL_MS) return true;
    return this.#owners.memo(owner).share(now) <= SHARE_OF_OWNER && this.#all.share(now) <= SHARE_OF_ALL;
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
      cost: new ScanCost(rules.length),
      msToLearn: builtinsOf({ rules }).every((slug) => this.#learned.has(slug)) ? 0 : LEARNING_MS,
    };
    this.#sets.set(key, set);
    this.#preparing = this.#preparing.then(() => this.#prepare(set, rules, patterns)).catch(() => undefined);
    return set;
  }

  /** Loads detectors and compiles patterns, giving way to requests after each; a set that doesn't compile stays without. */
  async #prepare(set: Prepared, rules: ScanTask["rules"], patterns: readonly string[]): Promise<void> {
    for (const { detector } of rules) {
      if (detector.kind === "pattern" || this.#loaded.has(detector.slug)) continue;
      await setImmediate();
      BUILTIN_DETECTORS[detector.slug](SAMPLE);
      this.#loaded.add(detector.slug);
    }
    for (const steps = compiling(patterns); set.patterns === null;) {
      await setImmediate();
      const step = steps.next();
      if (!step.done) continue;
      // The first scan compiles what the engine compiles late.
      const leaves = [{ text: SAMPLE, form: "text" as const, isUser: true }];
      const finders = { builtins: BUILTIN_DETECTORS, patterns: step.value };
      runTask({ rules, leaves, phrases: [], stopMs: Infinity }, finders, now);
      set.patterns = step.value;
    }
  }
}

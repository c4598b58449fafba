import type { VendorUsage } from "./usage-file";

/** The figures in the log for a model on a day. */
export interface RecordedUsage {
  day: string;
  model: string;
  requests: number;
  prompt: number;
  cached: number;
  completion: number;
  /** Micro-USD, including the estimated cost of failed attempts. */
  cost: number;
  /** Requests with estimated usage, and their cost. */
  estimated: { requests: number; cost: number };
  /** Requests of unknown cost, which the cost doesn't include. */
  unpriced: number;
  /** Failed attempts that the vendor may bill, and their estimated cost. */
  failed: { attempts: number; cost: number };
}

export type Figure = "requests" | "prompt" | "cached" | "completion" | "cost";

/** Causes of a difference. Rounding alone doesn't count as a difference. */
export type Cause =
  | "missing"
  | "extra"
  | "requests"
  | "tokens"
  | "estimated"
  | "failed"
  | "cached"
  | "unpriced"
  | "price"
  | "rounding";

export interface Comparison {
  day: string;
  model: string;
  vendor: VendorUsage | null;
  recorded: RecordedUsage | null;
  /** Figures that differ: the vendor's minus the recorded one. */
  differences: Partial<Record<Figure, number>>;
  causes: { cause: Cause; text: string }[];
}

const usd = (microUsd: number): string => `$${(microUsd / 1_000_000).toFixed(6).replace(/0{1,4}$/, "")}`;
const count = (number: number, noun: string): string =>
  `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

/** Vendors round each row to cents, Signalbox each request to micro-USD. */
const roundingOf = (vendor: VendorUsage, recorded: RecordedUsage): number => vendor.rows * 5000 + recorded.requests;

function differencesOf(vendor: VendorUsage, recorded: RecordedUsage): Comparison["differences"] {
  const figures: readonly Figure[] = ["requests", "prompt", "cached", "completion", "cost"];
  return Object.fromEntries(
    figures.flatMap((figure) => {
      const theirs = vendor[figure];
      return theirs === null || theirs === recorded[figure] ? [] : [[figure, theirs - recorded[figure]]];
    }),
  );
}

function causesOf(
  vendor: VendorUsage,
  recorded: RecordedUsage,
  differences: Comparison["differences"],
): Comparison["causes"] {
  const { requests = 0, prompt = 0, cached = 0, completion = 0, cost = 0 } = differences;
  const { estimated, failed, unpriced } = recorded;
  const causes: Comparison["causes"] = [];
  const add = (cause: Cause, text: string) => causes.push({ cause, text });
  if (Object.keys(differences).length === 0) return causes;
  if (requests > 0) add("requests", `the vendor counts ${count(requests, "request")} that Signalbox didn't send`);
  if (requests < 0) add("requests", `the vendor doesn't count ${count(-requests, "request")}, for example failed ones`);
  if (estimated.requests > 0)
    add(
      "estimated",
      `${count(estimated.requests, "request")} of ${usd(estimated.cost)} have estimated usage, because the vendor reported none`,
    );
  if (failed.attempts > 0)
    add("failed", `${count(failed.attempts, "failed attempt")} may not be billed: ${usd(failed.cost)} estimated`);
  const tokensDiffer = prompt !== 0 || completion !== 0;
  if (tokensDiffer && causes.length === 0)
    add(
      "tokens",
      "tokens differ: requests around midnight UTC, or requests outside of Signalbox, may be counted on this day",
    );
  if (cached !== 0)
    add("cached", `${count(Math.abs(cached), "cached token")} ${cached > 0 ? "more" : "fewer"} than recorded`);
  if (cost !== 0 && unpriced > 0)
    add("unpriced", `${count(unpriced, "request")} had no known price: set the model's price`);
  if (cost !== 0 && Math.abs(cost) <= roundingOf(vendor, recorded))
    add("rounding", `${usd(Math.abs(cost))} of rounding`);
  else if (cost !== 0 && causes.length === 0)
    add(
      "price",
      vendor.prompt === null
        ? `the cost differs by ${usd(Math.abs(cost))}: compare the model's prices (cached tokens, steps, service tier) and its tokens in the vendor's usage export`
        : `the same tokens cost ${usd(Math.abs(cost))} ${cost > 0 ? "more" : "less"} at the vendor: compare the model's prices`,
    );
  return causes;
}

/** True when a comparison needs somebody's attention. */
export const isDifferent = ({ causes }: Comparison): boolean => causes.some(({ cause }) => cause !== "rounding");

/** Compares a vendor's report with Signalbox's log, for each day and model in either of them. */
export function compare(vendor: readonly VendorUsage[], recorded: readonly RecordedUsage[]): Comparison[] {
  const keyOf = ({ day, model }: { day: string; model: string }) => `${day} ${model}`;
  const [theirs, ours] = [vendor, recorded].map((list) => new Map(list.map((one) => [keyOf(one), one]))) as [
    Map<string, VendorUsage>,
    Map<string, RecordedUsage>,
  ];
  return [...new Set([...theirs.keys(), ...ours.keys()])].toSorted().map((key): Comparison => {
    const [day = "", ...name] = key.split(" ");
    const [their = null, our = null] = [theirs.get(key), ours.get(key)];
    const comparison = { day, model: name.join(" "), vendor: their, recorded: our };
    if (their && our) {
      const differences = differencesOf(their, our);
      return { ...comparison, differences, causes: causesOf(their, our, differences) };
    }
    const text = their
      ? "missing in Signalbox: sent outside of it, or recorded under another model name"
      : `not in the file${our && our.estimated.requests + our.failed.attempts > 0 ? ": only estimated, so that the vendor may not have billed it" : ""}`;
    return { ...comparison, differences: {}, causes: [{ cause: their ? "missing" : "extra", text }] };
  });
}

import { listModels } from "../records/models/contract";
import { Generation } from "../records/generations/contract";
import type { Api } from "./api";
import type { Printer } from "./printer";
import { compare, isDifferent, type Comparison, type RecordedUsage } from "./reconcile-policy";
import { comparable, readUsage } from "./usage-file";

const DAY_MS = 24 * 60 * 60_000;
const MICRO = 1_000_000;

const emptyUsage = (day: string, model: string): RecordedUsage => ({
  day,
  model,
  requests: 0,
  prompt: 0,
  cached: 0,
  completion: 0,
  cost: 0,
  estimated: { requests: 0, cost: 0 },
  unpriced: 0,
  failed: { attempts: 0, cost: 0 },
});

/** Adds up generations by day and upstream model; charged failures count for the endpoint that failed. */
export class Ledger {
  readonly #groups = new Map<string, RecordedUsage>();

  /**
   * @param provider Slug of the provider whose usage counts; null for all.
   * @param upstreamModelOf Returns the provider's name of a model.
   */
  constructor(
    readonly provider: string | null,
    readonly upstreamModelOf: (model: string, provider: string) => string,
  ) {}

  add({ created_at, status, model, provider, attempts, ...generation }: Generation): void {
    const day = created_at.slice(0, 10);
    let failedCost = 0;
    for (const attempt of attempts) {
      const cost = Math.round((attempt.estimated_cost ?? 0) * MICRO);
      failedCost += cost;
      const group = cost > 0 ? this.#groupOf(day, attempt.model, attempt.provider) : null;
      if (!group) continue;
      group.cost += cost;
      group.failed.attempts += 1;
      group.failed.cost += cost;
    }
    const cost = Math.round(generation.total_cost * MICRO) - failedCost;
    const wasAnswered = attempts.at(-1)?.error === null;
    const group = provider !== null && status !== "blocked" && wasAnswered ? this.#groupOf(day, model, provider) : null;
    if (!group) return;
    group.requests += 1;
    group.prompt += generation.tokens_prompt ?? 0;
    group.cached += generation.native_tokens_cached ?? 0;
    group.completion += generation.tokens_completion ?? 0;
    group.cost += cost;
    if (!generation.cost_known) group.unpriced += 1;
    if (!generation.usage_estimated) return;
    group.estimated.requests += 1;
    group.estimated.cost += cost;
  }

  get usage(): RecordedUsage[] {
    return [...this.#groups.values()];
  }

  #groupOf(day: string, model: string, provider: string): RecordedUsage | null {
    if (this.provider !== null && provider !== this.provider) return null;
    const name = comparable(this.upstreamModelOf(model, provider));
    const key = `${day} ${name}`;
    const group = this.#groups.get(key) ?? emptyUsage(day, name);
    this.#groups.set(key, group);
    return group;
  }
}

async function upstreamModels(api: Api): Promise<Ledger["upstreamModelOf"]> {
  const { data } = await api.call(listModels, { query: { limit: "1000" } });
  const names = new Map(
    data.flatMap(({ slug, endpoints }) =>
      endpoints.map(({ provider, upstream_model }) => [`${slug} ${provider}`, upstream_model] as const),
    ),
  );
  return (model, provider) => names.get(`${model} ${provider}`) ?? model;
}

const FIGURES = [
  ["requests", "requests"],
  ["prompt", "prompt tokens"],
  ["cached", "cached tokens"],
  ["completion", "completion tokens"],
  ["cost", "cost in USD"],
] as const;

function print(printer: Printer, { day, model, vendor, recorded, differences, causes }: Comparison): void {
  printer.line(`${day}  ${model}`, "bold");
  const shown = (figure: (typeof FIGURES)[number][0], value: number | null | undefined): string =>
    value === null || value === undefined
      ? "–"
      : figure === "cost"
        ? (value / MICRO).toFixed(6)
        : value.toLocaleString("en");
  for (const [figure, label] of FIGURES) {
    if (vendor && recorded && differences[figure] === undefined) continue;
    if (vendor?.[figure] === null) continue;
    printer.line(
      `    ${label}: vendor ${shown(figure, vendor?.[figure])}, Signalbox ${shown(figure, recorded?.[figure])}`,
    );
  }
  for (const { cause, text } of causes) printer.line(`    ${cause}: ${text}`, cause === "rounding" ? "dim" : "yellow");
}

/** Compares a vendor's export with the log; exit code 2 when they differ by more than rounding. */
export async function reconcile(
  api: Api,
  path: string,
  printer: Printer,
  { provider }: { provider: string | null },
): Promise<number> {
  const { format, usage } = await readUsage(path);
  const days = usage.map(({ day }) => day).toSorted();
  const [first, last] = [days[0], days.at(-1)];
  const ledger = new Ledger(provider, await upstreamModels(api));
  for (let day = Date.parse(first ?? ""); day <= Date.parse(last ?? ""); day += DAY_MS) {
    const range = { from: new Date(day).toISOString(), to: new Date(day + DAY_MS).toISOString() };
    // Not filtered by provider: after a failed attempt that is charged, another provider may have answered.
    for await (const line of api.lines(`/generations/export?${new URLSearchParams(range)}`))
      ledger.add(Generation.parse(JSON.parse(line)));
  }
  const comparisons = compare(usage, ledger.usage);
  const different = comparisons.filter(isDifferent);
  for (const comparison of comparisons.filter(({ causes }) => causes.length > 0)) print(printer, comparison);
  printer.line(
    `${format}, ${first ?? "no"} to ${last ?? "days"}: ${comparisons.length} compared, ${different.length} different.`,
    "bold",
  );
  printer.json({ format, from: first ?? null, to: last ?? null, different: different.length, comparisons });
  return different.length > 0 ? 2 : 0;
}

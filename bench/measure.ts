import { availableParallelism, cpus } from "node:os";
import { CONNECTIONS, load, type Figures, type Target } from "./load";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 5);
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 3);

const say = (text: string) => process.stdout.write(`${text}\n`);

export function sayMachine(): void {
  const [cpu] = cpus();
  say(
    `${availableParallelism()} cores (${cpu?.model ?? "unknown"}), Node.js ${process.version}; medians of ${ROUNDS} rounds of ${SECONDS} s, ${CONNECTIONS} connections`,
  );
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Every target once per round, forwards and backwards in turn, so that a drift of the machine falls on all alike; the first is the yardstick. */
export async function measure(title: string, key: string, targets: readonly Target[]): Promise<void> {
  const figures = new Map<Target, Figures[]>(targets.map((target) => [target, []]));
  for (const target of targets) await load(target, key, 1);
  for (let round = 0; round < ROUNDS; round++) {
    for (const target of round % 2 ? [...targets].reverse() : targets)
      figures.get(target)?.push(await load(target, key, SECONDS));
  }
  const rows = [...figures].map(([{ name }, of]) => ({
    name,
    rate: median(of.map(({ requestsPerSecond }) => requestsPerSecond)),
    p50: median(of.map(({ p50Ms }) => p50Ms)),
    p99: median(of.map(({ p99Ms }) => p99Ms)),
  }));
  const yardstick = rows[0]?.rate ?? NaN;
  say(`\n| ${title} | requests/s | p50 ms | p99 ms | of the first |\n|---|---:|---:|---:|---:|`);
  for (const { name, rate, p50, p99 } of rows)
    say(`| ${name} | ${rate.toFixed(0)} | ${p50} | ${p99} | ${(rate / yardstick).toFixed(2)} |`);
}

import { readdirSync, readFileSync } from "node:fs";

/** Linux reports processor time in ticks of 10 ms. */
const MICROSECONDS_PER_TICK = 10_000;
const TIMES = { parent: 1, first: 11, last: 15 };

/** Fields of /proc/<pid>/stat after the name in brackets; null if the process has ended. */
function statOf(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

export const parentOf = (pid: number): number => Number(statOf(pid)?.[TIMES.parent] ?? 0);

/** Returns processes and their descendants; none on systems without /proc. */
export function withDescendants(pids: readonly number[]): number[] {
  if (!statOf(process.pid)) return [];
  const all = readdirSync("/proc").map(Number).filter(Number.isInteger);
  const parents = new Map(all.map((pid) => [pid, parentOf(pid)]));
  const isBelow = (pid: number): boolean => pids.includes(pid) || (pid > 1 && isBelow(parents.get(pid) ?? 0));
  return all.filter(isBelow);
}

/**
 * Returns the processor time in µs that processes and their descendants have used, ended descendants included; null on
 * systems without /proc.
 */
export function processorTime(pids: readonly number[]): number | null {
  if (!statOf(process.pid)) return null;
  return withDescendants(pids)
    .map((pid) => (statOf(pid) ?? []).slice(TIMES.first, TIMES.last))
    .flat()
    .reduce((sum, ticks) => sum + Number(ticks) * MICROSECONDS_PER_TICK, 0);
}

import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { AttemptFailed } from "../../engine/protocols/upstream-failure";

const LOOK_EVERY_MS = 20;

/** Generations that aren't recorded yet, by the controller that ends them; shared by all bundles of the process. */
const holder = globalThis as typeof globalThis & { __signalboxOpenGenerations?: Set<AbortController> };
const open = () => (holder.__signalboxOpenGenerations ??= new Set());

/** Registers a generation, until `closeGeneration`; the controller's signal ends its upstream requests. */
export function openGeneration(): AbortController {
  const ended = new AbortController();
  open().add(ended);
  return ended;
}

export const closeGeneration = (ended: AbortController): void => void open().delete(ended);

/**
 * Ends all generations, so that they are recorded and charged before the process ends: what an upstream has received
 * costs its usage so far, or the estimate. Waits at most `withinMs` for their records.
 */
export async function endGenerations(withinMs: number): Promise<void> {
  const stopped = new AttemptFailed(null, "The server was stopped", { isTimeout: true });
  for (const ended of open()) ended.abort(stopped);
  for (let waitedMs = 0; open().size > 0 && waitedMs < withinMs; waitedMs += LOOK_EVERY_MS) await sleep(LOOK_EVERY_MS);
}

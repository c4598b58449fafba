import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { Ending } from "../upstream/upstream-client";
import { AttemptFailed } from "../../engine/protocols/upstream-failure";
import { processWide } from "../../platform/process-wide";

const LOOK_EVERY_MS = 20;

/** Generations that haven't been recorded yet. */
const open = processWide("open generations", () => new Set<Ending>());

/** Registers a generation until `closeGeneration`. Its ending ends its upstream requests. */
export function openGeneration(): Ending {
  const ending: Ending = { reason: null, onEnd: null };
  open().add(ending);
  return ending;
}

export const closeGeneration = (ending: Ending): void => void open().delete(ending);

/**
 * Ends all generations, so that they are recorded and charged before the process ends. A request that an upstream has
 * received costs its usage so far, or the estimate. Waits at most `withinMs` for the records.
 */
export async function endGenerations(withinMs: number): Promise<void> {
  const stopped = new AttemptFailed(null, "The server was stopped", { isTimeout: true });
  for (const ending of open()) {
    ending.reason ??= stopped;
    ending.onEnd?.();
  }
  for (let waitedMs = 0; open().size > 0 && waitedMs < withinMs; waitedMs += LOOK_EVERY_MS) await sleep(LOOK_EVERY_MS);
}

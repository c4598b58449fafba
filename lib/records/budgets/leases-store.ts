import "server-only";
import type { Database } from "../../platform/database/transaction";
import { logger } from "../../platform/logger";
import type { Held } from "../../engine/budgets/budget-rule";

/** A reservation counts this long after its process was last heard of; past it, what a dead process held is free again. */
export const LEASE_MS = 120_000;
const RENEW_EVERY_MS = 30_000;
/** Longer than any answer: a request that was lost inside the process doesn't hold money for ever. */
const LONGEST_REQUEST_MS = 60 * 60_000;

/** Running requests, by generation. */
const renewals = new Map<string, NodeJS.Timeout>();

/** Renews the reservations of a request while it runs, however long its stream is. `now` is when it reserved. */
export function keepAlive(db: Database, generationId: string, held: readonly Held[], now: Date): void {
  const start = performance.now();
  const notRenewed = (err: unknown) => {
    logger().warn({ err, generation: generationId }, "reservations weren't renewed");
  };
  const timer = setInterval(() => {
    const elapsed = performance.now() - start;
    if (elapsed > LONGEST_REQUEST_MS) letGo(generationId);
    else renew(db, generationId, held, new Date(now.getTime() + elapsed)).catch(notRenewed);
  }, RENEW_EVERY_MS);
  renewals.set(generationId, timer.unref());
}

/** The request is being settled: nothing is renewed any more. */
export function letGo(generationId: string): void {
  clearInterval(renewals.get(generationId));
  renewals.delete(generationId);
}

/** A row that is being settled is skipped instead of waited for. */
export const renew = (db: Database, generationId: string, held: readonly Held[], now: Date) => db.$executeRaw`
  UPDATE budget_reservations SET expires_at = ${new Date(now.getTime() + LEASE_MS)}
  WHERE (budget_id, generation_id) IN (
    SELECT budget_id, generation_id FROM budget_reservations
    WHERE budget_id = ANY(${held.map(({ budgetId }) => budgetId)}::uuid[]) AND generation_id = ${generationId}
    FOR UPDATE SKIP LOCKED
  )`;

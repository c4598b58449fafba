import "server-only";
import type { Database } from "../../platform/database/transaction";
import { logger } from "../../platform/logger";
import type { ReservedBudget } from "../../engine/budgets/budget-rule";

/** Time a reservation counts without renewal; afterwards, reservations of a crashed process are released. */
export const LEASE_MS = 120_000;
const RENEW_EVERY_MS = 30_000;
/** Longer than any request: one lost inside the process doesn't reserve budget for ever. */
const LONGEST_REQUEST_MS = 60 * 60_000;

/** Renewal timers of running requests, by generation. */
const renewals = new Map<string, NodeJS.Timeout>();

/**
 * Renews the reservations of a request while it runs, so that long streams keep them. `now` is the time of the
 * reservation.
 */
export function startRenewing(db: Database, generationId: string, held: readonly ReservedBudget[], now: Date): void {
  const start = performance.now();
  const notRenewed = (err: unknown) => {
    logger().warn({ err, generation: generationId }, "reservations could not be renewed");
  };
  const timer = setInterval(() => {
    const elapsed = performance.now() - start;
    if (elapsed > LONGEST_REQUEST_MS) stopRenewing(generationId);
    else renew(db, generationId, held, new Date(now.getTime() + elapsed)).catch(notRenewed);
  }, RENEW_EVERY_MS);
  renewals.set(generationId, timer.unref());
}

/** Stops renewing the reservations of a request that is being settled. */
export function stopRenewing(generationId: string): void {
  clearInterval(renewals.get(generationId));
  renewals.delete(generationId);
}

/** Skips rows that are being settled instead of waiting for them. */
export const renew = (db: Database, generationId: string, held: readonly ReservedBudget[], now: Date) => db.$executeRaw`
  UPDATE budget_reservations SET expires_at = ${new Date(now.getTime() + LEASE_MS)}
  WHERE (budget_id, generation_id) IN (
    SELECT budget_id, generation_id FROM budget_reservations
    WHERE budget_id = ANY(${held.map(({ budgetId }) => budgetId)}::uuid[]) AND generation_id = ${generationId}
    FOR UPDATE SKIP LOCKED
  )`;

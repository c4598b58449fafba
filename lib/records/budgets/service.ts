import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../../platform/context";
import { Batcher, batcherPerDatabase } from "../../platform/database/batcher";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { admit, type Admission, type ReservationRequest } from "../../engine/budgets/admission";
import { ANSWER_MS, type Decided } from "../../engine/budgets/lease-ledger";
import { logger } from "../../platform/logger";
import { balancesOf, lockBudgets, createBudgets } from "./balances-store";
import { budgetOf } from "../../engine/budgets/budget";
import type { Budget, Charge, ReservedBudget } from "../../engine/budgets/budget-rule";
import { leasesOf, type ProcessLeases } from "./leases-service";
import { recall, statesOf, writeGrants } from "./leases-store";
import { settle } from "./settlement-store";

const MOST_AT_ONCE = 200;
/** Interval of retries while other processes return unneeded amounts. */
const RETRY_MS = 100;

/** A request beyond its leases, or a top-up of low leases. */
interface LeaseRequest {
  request: ReservationRequest;
  isTopUp: boolean;
}

interface LeaseAnswer {
  admission: Admission;
  /** True when other processes may return enough for the request. */
  isRetryable: boolean;
}

const leaseRequests = batcherPerDatabase(
  (db) =>
    new Batcher<LeaseRequest, LeaseAnswer>((queued) => leasesOf(db).exclusively(() => answerAll(db, queued)), {
      items: MOST_AT_ONCE,
      weight: MOST_AT_ONCE,
      weigh: () => 1,
    }),
);

/**
 * Reserves a request's maximum cost under all of its rules, or under none when a budget is exhausted. Free requests
 * always pass. Usually this process's leases cover the cost. Otherwise the database decides, in batches and in order.
 */
export async function reserve(
  { db, now }: Context,
  generationId: string,
  charges: readonly Charge[],
): Promise<Admission> {
  const paid = charges
    .filter(({ microUsd }) => microUsd > 0n)
    .map(({ rule, microUsd }) => ({ budget: budgetOf(rule, now), microUsd }));
  if (paid.length === 0) return { held: [] };
  const request: ReservationRequest = { generationId, charges: paid, now };
  const leases = leasesOf(db);
  leases.touch(now);
  const held = leases.ledger.reserve(request);
  if (!held) return lease(db, request);
  topUp(db, leases, request);
  return { held };
}

/** Requests leases from the database, and retries while other processes return unneeded amounts. */
async function lease(db: Database, request: ReservationRequest): Promise<Admission> {
  const start = performance.now();
  for (;;) {
    const elapsed = performance.now() - start;
    const now = new Date(request.now.getTime() + elapsed);
    const { admission, isRetryable } = await leaseRequests(db).submit({ request: { ...request, now }, isTopUp: false });
    if (!isRetryable || elapsed >= ANSWER_MS) return admission;
    await sleep(RETRY_MS);
  }
}

/** Requests more for low leases before they run out. */
function topUp(db: Database, { ledger }: ProcessLeases, request: ReservationRequest): void {
  const charges = ledger.startTopUp(request.charges);
  if (charges.length === 0) return;
  leaseRequests(db)
    .submit({ request: { ...request, charges }, isTopUp: true })
    .catch((err: unknown) => {
      logger().warn({ err }, "budget leases could not be topped up");
    })
    .finally(() => {
      ledger.endTopUp(charges);
    });
}

/**
 * Releases the reservations of a request that never became a generation. Other reservations are settled with their
 * record.
 */
export async function release(
  { db, now }: Context,
  generationId: string,
  held: readonly ReservedBudget[],
): Promise<void> {
  const settlements = held.map(({ budgetId }) => ({ budgetId, generationId, costMicroUsd: 0n }));
  if (settlements.length > 0) await leasesOf(db).settle(settlements, now, (charges) => settle(db, charges, now));
}

/** Returns the current result of `reserve` without reserving. */
export async function previewReserve({ db, now }: Context, charges: readonly Charge[]): Promise<Admission> {
  const requested = charges.map(({ rule, microUsd }) => ({ budget: budgetOf(rule, now), microUsd }));
  const [admission = { held: [] }] = admit(
    [{ generationId: "", charges: requested, now }],
    await balancesOf(
      db,
      requested.map(({ budget }) => budget),
      now,
    ),
  );
  return admission;
}

/** Grants requests that leases now cover, and decides the rest under the locks of their budgets. */
async function answerAll(db: Database, queued: readonly LeaseRequest[]): Promise<LeaseAnswer[]> {
  const { ledger } = leasesOf(db);
  const covered = new Map<LeaseRequest, LeaseAnswer>();
  for (const one of queued) {
    const held = one.isTopUp ? null : ledger.reserve(one.request);
    if (held) covered.set(one, { admission: { held }, isRetryable: false });
  }
  const open = queued.filter((one) => !covered.has(one));
  const requests = open.filter(({ isTopUp }) => !isTopUp).map(({ request }) => request);
  const decided =
    open.length > 0
      ? await decideAll(
          db,
          requests,
          open.filter(({ isTopUp }) => isTopUp).map(({ request }) => request),
        )
      : null;
  return queued.map(
    (one): LeaseAnswer =>
      covered.get(one) ?? {
        admission: decided?.admissions[requests.indexOf(one.request)] ?? { held: [] },
        isRetryable: decided?.retryable.has(one.request) ?? false,
      },
  );
}

async function decideAll(
  database: Database,
  requests: readonly ReservationRequest[],
  topUps: readonly ReservationRequest[],
): Promise<Decided> {
  const all = [...requests, ...topUps];
  const budgets = [...new Map(all.flatMap(({ charges }) => charges.map(({ budget }) => [budget.id, budget]))).values()];
  const now = new Date(Math.max(...all.map((one) => one.now.getTime())));
  const leases = leasesOf(database);
  const { ledger } = leases;
  try {
    const decided = await inTransaction(database, (db) => decideLocked(db, ledger, requests, topUps, budgets, now));
    if (decided) {
      ledger.confirmGrants(decided.grants);
      // Maintenance ends while there is no lease.
      leases.touch(now);
      return decided;
    }
  } catch (error) {
    ledger.cancel(requests, topUps);
    throw error;
  }
  await createBudgets(database, budgets, now);
  return decideAll(database, requests, topUps);
}

/**
 * Locks before reading: a statement that waits for a lock sees only leases from before it started, and the next one
 * sees all. Returns null when a budget has no row yet.
 */
async function decideLocked(
  db: Database,
  ledger: ProcessLeases["ledger"],
  requests: readonly ReservationRequest[],
  topUps: readonly ReservationRequest[],
  budgets: readonly Budget[],
  now: Date,
): Promise<Decided | null> {
  const ids = budgets.map(({ id }) => id);
  if ((await lockBudgets(db, ids)) < ids.length) return null;
  const states = await statesOf(db, new Map(ids.map((id) => [id, ledger.leaseIdOf(id)])), now);
  const decided = ledger.decide(requests, topUps, states, now);
  await recall(db, decided.recalled, now);
  await writeGrants(db, ids, decided.grants, now);
  return decided;
}

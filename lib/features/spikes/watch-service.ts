import "server-only";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { uuidv7 } from "../../platform/ids";
import { runSteps } from "../../platform/jobs/steps";
import { publish } from "../../platform/outbox/outbox-store";
import { BASELINE_MS, isOngoing, isSpike, spikeText, baselineOf, WINDOW_MS } from "./spike";

interface Watched {
  guardrail_id: string;
  guardrail_name: string;
  workspace_id: string;
  organization_id: string;
  recent: number;
  before: number;
  is_open: boolean;
}

/**
 * Starts, reports and ends spikes of blocked requests. Each spike is reported once across processes, because a
 * guardrail has at most one open spike.
 */
export async function watchBlocks(db: Database, now: Date): Promise<void> {
  const watched = await blockedNow(db, now);
  await runSteps(
    "block spikes",
    Object.fromEntries(watched.map((each) => [each.guardrail_id, () => watchGuardrail(db, each, now)])),
  );
}

async function watchGuardrail(db: Database, watched: Watched, now: Date): Promise<void> {
  if (watched.is_open && !isOngoing(watched)) await end(db, watched, now);
  else if (!watched.is_open && isSpike(watched)) await begin(db, watched, now);
}

/** Query for guardrails with blocked requests in the current window or an open spike; a request counts once. */
const blockedNow = (db: Database, now: Date) => {
  const recently = new Date(now.getTime() - WINDOW_MS);
  const since = new Date(recently.getTime() - BASELINE_MS);
  return db.$queryRaw<Watched[]>`
    WITH recent AS (
      SELECT guardrail_id, count(DISTINCT generation_id)::int AS blocked FROM decisions
      WHERE action = 'block' AND created_at >= ${recently} AND guardrail_id IS NOT NULL GROUP BY guardrail_id
    ), open AS (
      SELECT guardrail_id FROM block_spikes WHERE ended_at IS NULL
    )
    SELECT guardrails.id::text AS guardrail_id, guardrails.name AS guardrail_name, workspaces.id::text AS workspace_id, workspaces.organization_id::text,
      coalesce(recent.blocked, 0) AS recent, open.guardrail_id IS NOT NULL AS is_open,
      (SELECT count(DISTINCT generation_id)::int FROM decisions
        WHERE decisions.guardrail_id = guardrails.id AND action = 'block' AND created_at >= ${since} AND created_at < ${recently}) AS before
    FROM recent FULL JOIN open USING (guardrail_id) JOIN guardrails ON guardrails.id = guardrail_id JOIN workspaces ON workspaces.id = guardrails.workspace_id`;
};

const end = (db: Database, { guardrail_id: guardrailId }: Watched, now: Date) =>
  db.blockSpike.updateMany({ where: { guardrailId, endedAt: null }, data: { endedAt: now } });

async function begin(db: Database, watched: Watched, now: Date): Promise<void> {
  const { guardrail_id, guardrail_name, workspace_id, organization_id, recent } = watched;
  const spike = {
    id: uuidv7(now),
    guardrailId: guardrail_id,
    blocked: recent,
    usualBlocked: baselineOf(watched),
    startedAt: now,
  };
  await inTransaction(db, async (transaction) => {
    const { count } = await transaction.blockSpike.createMany({ data: [spike], skipDuplicates: true });
    if (count === 0) return;
    const data = {
      message: spikeText(guardrail_name, watched),
      guardrail: { id: guardrail_id, name: guardrail_name },
      workspace_id,
      blocked: recent,
      usual: spike.usualBlocked,
      minutes: WINDOW_MS / 60_000,
    };
    await publish(transaction, organization_id, [{ type: "blocks.spike", data }], now);
  });
}

import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { OBSERVED_ACTIONS } from "../../engine/policy/vocabulary";
import type { Context } from "../../platform/context";
import { onReplica } from "../../platform/database/replica";
import type { Input, Result } from "../../platform/http/operation";
import { readLog } from "../../records/generations/read-store";
import { findGuardrail } from "../../records/guardrails/store";
import { MOST_LISTED, type getObservations, type Observations } from "./contract";

const DAY_MS = 24 * 60 * 60_000;

/** Counts what a guardrail that only observes would have done. */
export async function observations(
  context: Context,
  { params, query }: Input<typeof getObservations>,
): Promise<Result<typeof getObservations>> {
  await findGuardrail(context.db, context, params.id);
  const to = query.to === undefined ? context.now : new Date(query.to);
  const from = query.from === undefined ? new Date(to.getTime() - DAY_MS) : new Date(query.from);
  const [counted] = await onReplica(context.db, (replica) =>
    readLog(replica, {}, (db) => db.$queryRaw<Omit<Observations, "from" | "to">[]>(countsOf(params.id, from, to))),
  );
  if (!counted) throw new Error("an aggregate has one row");
  return { data: { from: from.toISOString(), to: to.toISOString(), ...counted } };
}

/** The decisions of the guardrail, one per rule and request, counted in one statement. */
const countsOf = (id: string, from: Date, to: Date) => Prisma.sql`
  WITH observed AS MATERIALIZED (
    SELECT DISTINCT decisions.generation_id, decisions.field, decisions.action, generations.key_id,
      CASE WHEN decisions.action IN ('would_exclude', 'would_block')
        AND decisions.field NOT LIKE 'content_filter%' AND decisions.field NOT IN ('external_checks', 'judges', 'limit_usd')
        THEN NULL ELSE decisions.rule END AS rule
    FROM decisions JOIN generations
      ON generations.created_at = decisions.created_at AND generations.id = decisions.generation_id
    WHERE decisions.guardrail_id = ${id}::uuid AND decisions.action = ANY(${[...OBSERVED_ACTIONS]}::text[])
      AND decisions.created_at >= ${from} AND decisions.created_at < ${to}
  ), rules AS (
    SELECT field, rule, action, count(DISTINCT generation_id)::int AS requests, count(DISTINCT key_id)::int AS keys
    FROM observed GROUP BY field, rule, action ORDER BY requests DESC, field, rule, action LIMIT ${MOST_LISTED}
  ), senders AS (
    SELECT key_id, count(DISTINCT generation_id)::int AS requests
    FROM observed GROUP BY key_id ORDER BY requests DESC, key_id LIMIT ${MOST_LISTED}
  )
  SELECT (SELECT count(DISTINCT generation_id)::int FROM observed) AS requests,
    (SELECT coalesce(jsonb_agg(rules.*), '[]') FROM rules) AS rules,
    (SELECT coalesce(jsonb_agg(jsonb_build_object(
      'key_hash', keys.hash, 'key_name', keys.name, 'requests', senders.requests) ORDER BY senders.requests DESC), '[]')
      FROM senders LEFT JOIN keys ON keys.id = senders.key_id) AS keys`;

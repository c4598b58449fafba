import { fromMicroUsd } from "../../engine/money";
import type { ReachedLimit } from "./budgets";
import { describeChange, type RequestResult } from "./change";
import type { Replay, ReplayRow } from "./contract";
import type { Changed } from "./outcome";

/** Maximum number of decisions and spans shown per row. */
const MOST_SHOWN = 20;

export const toVerdict = ({ outcome, message, first, decisions }: RequestResult): ReplayRow["before"] => ({
  outcome,
  message,
  provider:
    outcome === "blocked" || outcome === "no_endpoint" || outcome === "budget_exhausted"
      ? null
      : (first?.provider ?? null),
  model: first?.model ?? null,
  decisions: decisions
    .slice(0, MOST_SHOWN)
    .map((decision) => ({ ...decision, spans: decision.spans.slice(0, MOST_SHOWN) })),
});

export const toRow = ({ row, change, before, after, found }: Changed): ReplayRow => ({
  generation_id: row.id,
  created_at: row.created_at.toISOString(),
  change,
  before: toVerdict(before),
  after: toVerdict(after),
  why: describeChange(change, before, after),
  found: found.slice(0, MOST_SHOWN),
});

export const toReachedLimit = (
  { budget: { rule, windowStart }, at, generationId, stopped }: ReachedLimit,
  hashOf: ReadonlyMap<string, string>,
): Replay["budgets"][number] => ({
  counted_per: rule.subject,
  key_hash: rule.subject === "key" ? (hashOf.get(rule.subjectId) ?? null) : null,
  user_id: rule.subject === "member" ? rule.subjectId : null,
  limit_usd: fromMicroUsd(rule.limitMicroUsd),
  reset_interval: rule.interval,
  window_start: rule.interval ? windowStart.toISOString() : null,
  reached_at: at.toISOString(),
  generation_id: generationId,
  stopped,
});

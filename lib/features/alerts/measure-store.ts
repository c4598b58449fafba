import "server-only";
import { Prisma, type AlertRule } from "../../../prisma/generated/client";
import { CIRCUIT_OPEN } from "../../engine/protocols/upstream-failure";
import type { Database } from "../../platform/database/transaction";
import { spendingLimits } from "../../records/budgets/list-service";
import { budgetPage, type BudgetRow } from "../../records/budgets/list-store";
import type { Counted } from "../analytics/tables";
import { valueOfBin } from "../analytics/latency-bins";
import { bucketsQuery, consistently, latencyQuery, type BucketRow, type LatencyRow } from "../analytics/usage-store";
import { deprecatedModels } from "../coverage/deprecated-store";
import { retirementText } from "./alert-text";
import type { Measurement } from "./decide";
import type { Filters } from "./rows";

const { sql, empty } = Prisma;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Period before the window, whose blocked requests are the baseline. */
const BASELINE_MS = DAY_MS;
/** Multiple of the baseline at which a spike begins. */
const TIMES_USUAL = 3;
/** Maximum number of budgets that a rule watches, closest to their limit first. */
const MOST_BUDGETS = 500;

/** A measurement of one of the rule's subjects. */
export interface Measured extends Measurement {
  /** Identifies the subject within the rule. */
  subject: string;
  name: string;
  /** Facts about the subject for the message. */
  detail?: string;
}

/**
 * Measures a rule's subjects: each budget, provider or model, or everything as one. Filters of deleted objects match
 * nothing.
 */
export function measure(db: Database, rule: AlertRule, now: Date): Promise<Measured[]> {
  if (rule.kind === "budget") return measureBudgets(db, rule, now);
  if (rule.kind === "provider_down") return measureProviders(db, rule, now);
  if (rule.kind === "deprecated_model") return measureRetirements(db, rule, now);
  return measureUsage(db, rule, now);
}

async function measureBudgets(db: Database, rule: AlertRule, now: Date): Promise<Measured[]> {
  const { key_hash = null, user_id = null, guardrail_id = null } = rule.filters as Filters;
  const filters = {
    organizationId: rule.organizationId,
    workspaceId: rule.workspaceId,
    keyHash: key_hash,
    userId: user_id,
    guardrailId: guardrail_id,
    now,
  };
  const limits = await spendingLimits(db, filters);
  const rows = await db.$queryRaw<BudgetRow[]>(budgetPage(db, filters, { skip: 0, take: MOST_BUDGETS }, limits));
  return rows
    .filter(({ limit }) => limit > 0n)
    .map((row) => ({
      subject: [row.guardrail_id ?? row.limit_id ?? "own", row.subject, row.public_id].join("/"),
      name: `${row.guardrail_name ?? row.limit_name ?? "Own limit"}, ${row.subject} ${row.name}`,
      value: (Number(row.spent) / Number(row.limit)) * 100,
      samples: Infinity,
    }));
}

/**
 * Attempts count by the provider's response, even if another provider succeeded or an open circuit skipped the
 * provider.
 */
async function measureProviders(db: Database, rule: AlertRule, now: Date): Promise<Measured[]> {
  const { provider } = rule.filters as Filters;
  const from = new Date(now.getTime() - rule.windowMinutes * MINUTE_MS);
  const rows = await db.$queryRaw<{ provider: string; attempts: number; failed: number }[]>`
    SELECT coalesce(attempt.provider, g.provider_slug) AS provider, count(*)::int AS attempts,
      (count(*) FILTER (WHERE attempt.error = ${CIRCUIT_OPEN} OR attempt.error IS NOT NULL AND
        (attempt.status IS NULL OR attempt.status < 400 OR attempt.status IN (408, 424, 429) OR attempt.status >= 500)))::int AS failed
    FROM generations g CROSS JOIN LATERAL jsonb_to_recordset(g.attempts) AS attempt(provider text, status int, error text)
    WHERE g.organization_id = ${rule.organizationId}::uuid AND g.created_at >= ${from} AND g.created_at < ${now}
      ${rule.workspaceId === null ? empty : sql`AND g.workspace_id = ${rule.workspaceId}::uuid`}
      ${provider === undefined ? empty : sql`AND coalesce(attempt.provider, g.provider_slug) = ${provider}`}
    GROUP BY 1 ORDER BY 1 LIMIT 200`;
  return rows.map(({ provider: slug, attempts, failed }) => ({
    subject: slug,
    name: slug,
    value: (failed / attempts) * 100,
    samples: attempts,
  }));
}

/** Measures the days until the models in use retire; 0 once they are retired. */
async function measureRetirements(
  db: Database,
  { organizationId, workspaceId, threshold }: AlertRule,
  now: Date,
): Promise<Measured[]> {
  const until = new Date(now.getTime() + threshold * DAY_MS);
  const { data } = await deprecatedModels({ db, organizationId, workspaceId, now }, until);
  return data.map((model) => ({
    subject: model.slug,
    name: model.slug,
    value: Math.max(0, Math.ceil((Date.parse(model.retires_at) - now.getTime()) / DAY_MS)),
    samples: Infinity,
    detail: retirementText(model),
  }));
}

function measureUsage(db: Database, rule: AlertRule, now: Date): Promise<Measured[]> {
  const { organizationId, workspaceId, kind } = rule;
  const windowMs = rule.windowMinutes * MINUTE_MS;
  const from = new Date(now.getTime() - windowMs);
  return consistently(db, organizationId, async (transaction, progress) => {
    const { guardrail_id, ...filters } = rule.filters as Filters;
    // A spike of a guardrail counts only the requests that it blocked.
    const blocking = kind === "block_spike" ? guardrail_id : undefined;
    const of: Counted = {
      from,
      to: now,
      scope: { organizationId, userId: null },
      filters: {
        ...filters,
        ...(guardrail_id !== undefined && blocking === undefined && { guardrail_id }),
        ...(workspaceId !== null && { workspace_id: workspaceId }),
      },
      previousFrom: kind === "block_spike" ? new Date(from.getTime() - BASELINE_MS) : null,
      bucketSeconds: null,
      progress,
    };
    const rows = await transaction.$queryRaw<BucketRow[]>(bucketsQuery(of, blocking));
    const current = rows.find(({ bucket }) => bucket !== null);
    const answered = Number(current?.succeeded ?? 0n) + Number(current?.failed ?? 0n);
    const one = { subject: "", name: "" };
    if (kind === "error_rate")
      return [{ ...one, value: answered > 0 ? (Number(current?.failed) / answered) * 100 : null, samples: answered }];
    if (kind === "block_spike") {
      const before = Number(rows.find(({ bucket }) => bucket === null)?.blocked ?? 0n);
      const usual = (before * windowMs) / BASELINE_MS;
      return [{ ...one, value: Number(current?.blocked ?? 0n), samples: Infinity, floor: TIMES_USUAL * usual }];
    }
    const latencies = await transaction.$queryRaw<LatencyRow[]>(latencyQuery(of, null));
    const measured = kind === "time_to_first_token_p95" ? "time_to_first_token" : "duration";
    const whole = latencies.find((row) => row.measure === measured && row.is_current && row.bucket === null);
    return [{ ...one, value: whole ? valueOfBin(whole.p95) : null, samples: answered }];
  });
}

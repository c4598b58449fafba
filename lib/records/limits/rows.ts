import "server-only";
import type { Limit as Row, Prisma } from "../../../prisma/generated/client";
import type { Limit as Rule } from "../../engine/budgets/budget-rule";
import type { LimitMetric } from "../../engine/budgets/vocabulary";
import { forecastOf } from "../../engine/budgets/forecast";
import { windowAt } from "../../engine/cycles";
import { fromMicroUsd, toMicroUsd } from "../../engine/money";
import type { Limit, LimitStanding } from "./contract";
import type { StandingRow } from "./standings-store";
import type { NamedSubject } from "./subjects-store";

const amountOf = (metric: LimitMetric, amount: bigint): number =>
  metric === "spend" ? fromMicroUsd(amount) : Number(amount);
const storedAmount = (metric: LimitMetric, amount: number): bigint =>
  metric === "spend" ? toMicroUsd(amount) : BigInt(amount);

type Fields = Pick<
  Limit,
  "name" | "amount" | "metric" | "reset_interval" | "time_zone" | "starts" | "include_byok" | "carry_over" | "enabled"
>;

/** Returns the columns of the fields that can be changed. */
export const toColumns = (fields: Fields) =>
  ({
    name: fields.name,
    amount: storedAmount(fields.metric, fields.amount),
    window: fields.reset_interval ?? "lifetime",
    timeZone: fields.time_zone,
    startHour: fields.starts.hour,
    startWeekday: fields.starts.weekday,
    startMonthDay: fields.starts.month_day,
    includeByok: fields.include_byok,
    carryOver: fields.carry_over,
    enabled: fields.enabled,
  }) satisfies Prisma.LimitUpdateInput;

type NameOf = (type: Rule["subject"], storedId: string) => NamedSubject;

export function toStanding(rule: Rule, row: StandingRow, nameOf: NameOf, since: Date, now: Date): LimitStanding {
  const { metric, amount, cycle, subject } = rule;
  const window = windowAt(cycle, now);
  const subjectOf = row.subject_id === "" ? null : nameOf(subject, row.subject_id);
  const left = amount - row.spent - row.reserved;
  const remaining = left > 0n ? left : 0n;
  const measuredFrom = new Date(Math.max(window.start.getTime(), since.getTime()));
  const forecast = forecastOf(
    {
      spentMicroUsd: row.spent,
      remainingMicroUsd: remaining,
      resetsAt: window.end,
      since: measuredFrom,
      burns: [{ keyHash: "", keyName: "", microUsd: row.spent + row.carried }],
    },
    now,
  );
  return {
    id: subjectOf?.id ?? null,
    name: subjectOf?.name ?? (subject === "organization" ? "Organization" : rule.name),
    limit: amountOf(metric, amount + row.carried),
    used: amountOf(metric, row.spent + row.carried),
    reserved: amountOf(metric, row.reserved),
    remaining: amountOf(metric, remaining),
    window_start: cycle.interval === null ? null : window.start.toISOString(),
    resets_at: window.end?.toISOString() ?? null,
    exhausted_at: metric === "spend" ? forecast.exhausted_at : null,
  };
}

export function toLimit(row: Row, nameOf: NameOf, closest: LimitStanding | null): Limit {
  const subjects =
    row.isForEach || row.subject === "organization" ? null : row.subjectIds.map((id) => nameOf(row.subject, id));
  return {
    id: row.id,
    name: row.name,
    workspace_id: row.workspaceId,
    subject_type: row.subject,
    subject_ids: subjects?.map(({ id }) => id) ?? null,
    subject_names: subjects?.map(({ name }) => name) ?? null,
    metric: row.metric,
    amount: amountOf(row.metric, row.amount),
    reset_interval: row.window === "lifetime" ? null : row.window,
    time_zone: row.timeZone,
    starts: { hour: row.startHour, weekday: row.startWeekday, month_day: row.startMonthDay },
    include_byok: row.includeByok,
    carry_over: row.carryOver,
    enabled: row.enabled,
    closest,
    revision: row.revision,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt?.toISOString() ?? null,
  };
}

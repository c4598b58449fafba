import { describeUsers, namesOf } from "@/components/coverage/gaps";
import { formatCount } from "@/components/generations/generation-format";
import { logLink, recentLogLink, type Counted } from "@/components/generations/log-link";
import { describeUse, limitPhrase } from "@/components/settings/embedded-limits";
import { requestsHref } from "@/components/alerts/firing-now";
import type { AlertFiring } from "@/lib/features/alerts/contract";
import { formatSpend } from "@/components/analytics/measures";
import { formatUsd } from "@/components/ui/usd";
import type { Coverage } from "@/lib/features/coverage/contract";
import type { Usage } from "@/lib/features/analytics/usage-contract";
import type { ExportDestination } from "@/lib/features/exports/contract";
import type { Webhook } from "@/lib/records/webhooks/contract";
import type { Budget } from "@/lib/records/budgets/contract";
import type { InstalledDatabase } from "@/lib/records/organization/contract";

/** Fix of a problem: a link, or an assignment of a guardrail in place. */
export type Remedy = { href: string; text: string } | { assign: "keys" | "members" };

export interface AttentionItem {
  title: string;
  detail: string;
  severity: "danger" | "warning";
  remedy: Remedy;
}

type Group = Usage["groups"][number];

const NEAR_LIMIT = 0.8;
const MANY_FAILURES = 0.1;
const MOST_FAILURES = 0.5;
const FEWEST_FAILED = 5;
const FEWEST_BLOCKED = 10;
const TIMES_USUAL = 3;
const MOST_OF_A_KIND = 3;

const percent = (share: number): string => `${Math.floor(100 * share)}%`;

/** Alerts that are firing, each with the requests it is about. */
export const firingItems = (firings: readonly AlertFiring[]): AttentionItem[] =>
  firings.map(({ alert_name, message, requests }) => ({
    title: `${alert_name} is firing`,
    detail: message,
    severity: "danger",
    remedy: { href: requestsHref(requests), text: "Show requests" },
  }));

const remedyOf = (limitId: Budget["limit_id"], { type, id }: Budget["subject"]): AttentionItem["remedy"] =>
  limitId !== null
    ? { href: `/budgets?limit=${limitId}`, text: "Open limit" }
    : type === "key"
      ? { href: `/keys/${id}`, text: "Open key" }
      : { href: `/members/${id}`, text: "Open member" };

/** Budgets that are reached, nearly used up, or used up before they reset. */
export const budgetItems = (budgets: readonly Budget[]): AttentionItem[] =>
  budgets.flatMap(({ limit_id, subject, limit_usd, spent_usd, reserved_usd, remaining_usd, forecast }) => {
    const used = spent_usd + reserved_usd;
    const isReached = remaining_usd === 0;
    const isEarly = forecast.exhausted_at !== null;
    if (!isReached && !isEarly && used < NEAR_LIMIT * limit_usd) return [];
    return [
      {
        title: isReached
          ? `${subject.name} has reached its spending limit`
          : used >= NEAR_LIMIT * limit_usd
            ? `${subject.name} has used ${percent(used / limit_usd)} of its limit`
            : `${subject.name} is on pace to reach its limit`,
        detail: `${formatSpend(used)} of ${formatUsd(limit_usd)}`,
        severity: isReached ? "danger" : "warning",
        remedy: remedyOf(limit_id, subject),
      } satisfies AttentionItem,
    ];
  });

/** Providers that fail many requests. */
export const providerItems = (providers: readonly Group[], counted: Counted): AttentionItem[] =>
  providers.flatMap(({ id, name, totals: { failed, requests } }) => {
    if (id === null || failed < FEWEST_FAILED || failed < MANY_FAILURES * requests) return [];
    return [
      {
        title: `${name ?? id} failed ${percent(failed / requests)} of its requests`,
        detail: `${formatCount(failed)} of ${formatCount(requests)}`,
        severity: failed >= MOST_FAILURES * requests ? "danger" : "warning",
        remedy: { href: logLink(counted, { provider: id, status: "failed" }), text: "Show failed" },
      } satisfies AttentionItem,
    ];
  });

/** Guardrails that blocked many more requests than in the previous period. */
export const spikeItems = (guardrails: readonly Group[], counted: Counted): AttentionItem[] =>
  guardrails.flatMap(({ id, name, totals, previous }) => {
    if (id === null || totals.blocked < FEWEST_BLOCKED || totals.blocked < TIMES_USUAL * previous.blocked) return [];
    return [
      {
        title: `${formatCount(totals.blocked)} requests blocked by ${name ?? "a guardrail"}`,
        detail: `${formatCount(previous.blocked)} in the previous period`,
        severity: "warning",
        remedy: { href: logLink(counted, { blocked_by: id }), text: "Show blocked" },
      } satisfies AttentionItem,
    ];
  });

/** "3 keys have", "1 key has". */
const having = (count: number, noun: string) =>
  `${formatCount(count)} ${count === 1 ? `${noun} has` : `${noun}s have`}`;

export const coverageHref = (gap: string, workspace: string | null) =>
  `/coverage?${workspace === null ? "" : `workspace=${workspace}&`}gap=${gap}`;

/** Keys and members without a guardrail or limit, and guardrails that apply to nothing. */
export function coverageItems(coverage: Coverage, workspace: string | null): AttentionItem[] {
  const {
    uncovered_keys,
    uncovered_members,
    unlimited_keys,
    unassigned_guardrails,
    corrected_vendors,
    unpriced_models,
  } = coverage;
  const item = (count: number, title: string, names: readonly string[], remedy: Remedy): AttentionItem[] =>
    count === 0 ? [] : [{ title, detail: namesOf(names, count), severity: "warning", remedy }];
  const [idle] = unassigned_guardrails.data;
  const idleCount = unassigned_guardrails.total_count;
  return [
    ...item(
      corrected_vendors.total_count,
      `${having(corrected_vendors.total_count, "model")} a corrected vendor`,
      corrected_vendors.data.map(({ slug, vendor }) => `${slug}: ${vendor}`),
      { href: `${coverageHref("keys", workspace)}#models`, text: "Review vendors" },
    ),
    ...item(
      uncovered_keys.total_count,
      `${having(uncovered_keys.total_count, "key")} no guardrail`,
      uncovered_keys.data.map(({ key_name }) => key_name),
      { assign: "keys" },
    ),
    ...item(
      uncovered_members.total_count,
      `${having(uncovered_members.total_count, "member")} no guardrail`,
      uncovered_members.data.map(({ name }) => name),
      { assign: "members" },
    ),
    ...item(
      unlimited_keys.total_count,
      `${having(unlimited_keys.total_count, "key")} no spending limit`,
      unlimited_keys.data.map(({ key_name }) => key_name),
      { href: coverageHref("limits", workspace), text: "Review limits" },
    ),
    ...item(
      unpriced_models.total_count,
      `${having(unpriced_models.total_count, "model")} no known price`,
      unpriced_models.data.map(({ slug }) => slug),
      { href: "/providers?tab=models", text: "Set prices" },
    ),
    ...item(
      idleCount,
      `${formatCount(idleCount)} ${idleCount === 1 ? "guardrail is" : "guardrails are"} unassigned`,
      unassigned_guardrails.data.map(({ name }) => name),
      idleCount === 1 && idle
        ? { href: `/guardrails/${idle.guardrail_id}`, text: "Open guardrail" }
        : { href: coverageHref("guardrails", workspace), text: "Show guardrails" },
    ),
  ];
}

/** Models in use that their vendors retire. `now` is in milliseconds. */
export const retirementItems = (
  { deprecated_models }: Pick<Coverage, "deprecated_models">,
  workspace: string | null,
  now: number,
): AttentionItem[] =>
  deprecated_models.data.map(({ slug, retires_at, replacement, used_by }) => {
    const isRetired = Date.parse(retires_at) <= now;
    return {
      title: `${slug} ${isRetired ? "was retired" : "retires"} on ${retires_at.slice(0, 10)}`,
      detail: `${describeUsers(used_by)}${replacement === null ? "" : `. Replacement: ${replacement}`}`,
      severity: isRetired ? "danger" : "warning",
      remedy: { href: recentLogLink(workspace, { model: slug }), text: "Show requests" },
    };
  });

/** Exports that fail, or that were paused after failures. */
export const exportItems = (destinations: readonly ExportDestination[]): AttentionItem[] =>
  destinations.flatMap(({ id, name, paused_reason, failing_since, last_run }) => {
    if (paused_reason === null && failing_since === null) return [];
    return [
      {
        title: `Export to ${name} ${paused_reason === null ? "is failing" : "is paused"}`,
        detail: paused_reason ?? last_run?.error ?? "The last run failed",
        severity: paused_reason === null ? "warning" : "danger",
        remedy: { href: `/settings?tab=exports&export=${id}`, text: "Open export" },
      },
    ];
  });

/** Webhooks whose deliveries fail, or that Signalbox disabled after failures. */
export const webhookItems = (webhooks: readonly Webhook[]): AttentionItem[] =>
  webhooks.flatMap(({ id, url, enabled, disabled_reason, failing_since }) => {
    const isDisabled = !enabled && disabled_reason !== null;
    if (!isDisabled && (!enabled || failing_since === null)) return [];
    return [
      {
        title: `Webhook to ${new URL(url).host} ${isDisabled ? "is disabled" : "is failing"}`,
        detail: isDisabled ? `${disabled_reason}. Events are dropped` : "Failed deliveries are retried",
        severity: isDisabled ? "danger" : "warning",
        remedy: { href: `/settings?tab=webhooks&webhook=${id}`, text: "Open webhook" },
      },
    ];
  });

/** Limits of the embedded database that are near or reached. */
export const databaseItems = ({ limits }: InstalledDatabase): AttentionItem[] =>
  limits.flatMap((limit) => {
    if (limit.level === "ok") return [];
    return [
      {
        title: `The embedded database ${limit.level === "near" ? "is near" : "has reached"} its limit: ${limitPhrase(limit.name)}`,
        detail: `${describeUse(limit)}. Move to PostgreSQL`,
        severity: limit.level === "near" ? "warning" : "danger",
        remedy: { href: "/settings#database", text: "Open settings" },
      },
    ];
  });

/** Sorts by severity and alternates the kinds, so that no kind hides another. Keeps a few of each. */
export const mostSevere = (...kinds: readonly (readonly AttentionItem[])[]): AttentionItem[] =>
  kinds
    .flatMap((items) => [
      ...items
        .toSorted(bySeverity)
        .slice(0, MOST_OF_A_KIND + 1)
        .entries(),
    ])
    .toSorted(([turn, one], [otherTurn, other]) => bySeverity(one, other) || turn - otherTurn)
    .map(([, item]) => item);

const bySeverity = (one: AttentionItem, other: AttentionItem) =>
  Number(other.severity === "danger") - Number(one.severity === "danger");

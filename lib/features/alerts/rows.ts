import "server-only";
import type { AlertFiring as FiringRow, AlertRule, Prisma } from "../../../prisma/generated/client";
import { toNotification } from "../../records/notifications/rows";
import type { Alert, AlertFiring } from "./contract";
import { requestsOf } from "./requests";
import type { AlertFilter } from "./vocabulary";

const MOST_NOTIFICATIONS = 100;

export const withOpen = {
  _count: { select: { firings: { where: { resolvedAt: null } } } },
} satisfies Prisma.AlertRuleInclude;

export const withNotifications = {
  rule: { select: { name: true, kind: true, workspaceId: true, windowMinutes: true, filters: true } },
  notifications: {
    omit: { payloadCiphertext: true },
    include: { webhookDelivery: { select: { status: true, attempts: true, nextAttemptAt: true } } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: MOST_NOTIFICATIONS,
  },
} satisfies Prisma.AlertFiringInclude;

type FiringWithParts = FiringRow & {
  rule: Pick<AlertRule, "name" | "kind" | "workspaceId" | "windowMinutes" | "filters">;
  notifications: Parameters<typeof toNotification>[0][];
};

export type Filters = Partial<Record<AlertFilter, string>>;

/** Returns a rule's name in the audit log. */
export const target = ({ id, name }: Pick<AlertRule, "id" | "name">) => ({ type: "alert", id, name });

/** Converts a row to an API object, with a masked Slack URL. */
export function toAlert(row: AlertRule & { _count: { firings: number } }): Alert {
  const { key_hash = null, user_id = null, guardrail_id = null, provider = null } = row.filters as Filters;
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    workspace_id: row.workspaceId,
    threshold: row.threshold,
    window_minutes: row.windowMinutes,
    min_requests: row.minRequests,
    quiet_minutes: row.quietMinutes,
    key_hash,
    user_id,
    guardrail_id,
    provider,
    webhook_ids: row.webhookIds as string[],
    slack_url: row.slackHint,
    emails: row.emails as string[],
    enabled: row.enabled,
    firing: row._count.firings,
    evaluated_at: row.evaluatedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt?.toISOString() ?? null,
  };
}

export const toFiring = (row: FiringWithParts): AlertFiring => ({
  id: row.id,
  alert_id: row.ruleId,
  alert_name: row.rule.name,
  kind: row.rule.kind,
  state: row.isTest ? "test" : row.resolvedAt ? "resolved" : "firing",
  message: row.message,
  value: row.value,
  threshold: row.threshold,
  fired_at: row.startedAt.toISOString(),
  notified_at: row.notifiedAt?.toISOString() ?? null,
  resolved_at: row.resolvedAt?.toISOString() ?? null,
  requests: requestsOf({ ...row.rule, ...row, filters: row.rule.filters as Filters }),
  notifications: row.notifications.map(toNotification),
});

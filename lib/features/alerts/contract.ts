import { z } from "zod";
import { Deleted, envelope, IdParams, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { page, PageQuery } from "../../platform/http/pagination";
import { Email } from "../../platform/account-contract";
import { GENERATION_STATUSES } from "../../records/generations/vocabulary";
import { Notification } from "../../records/notifications/contract";
import {
  ALERT_FILTERS,
  ALERT_KINDS,
  FILTERS_OF,
  FIRING_STATES,
  LONGEST_WINDOW,
  MOST_EMAILS,
  MOST_WEBHOOKS_OF_RULE,
  THRESHOLDS,
  type AlertFilter,
  type AlertKind,
} from "./vocabulary";
import { newName } from "../../platform/name-contract";

const named = z.string().min(1).max(256).nullable();
const isUnique = (values: readonly string[]) => new Set(values).size === values.length;

const AlertFields = z.object({
  name: newName(100),
  kind: z.enum(ALERT_KINDS).meta({ description: "What is measured; can't be changed later" }),
  workspace_id: Uuid.nullable().meta({ description: "null for all workspaces" }),
  threshold: z.number().positive("must be more than 0").max(3_600_000).meta({
    description:
      "Fires at or above: percent of the limit (budget), of requests (error_rate) or of attempts (provider_down); blocked requests (block_spike); milliseconds (latency_p95, time_to_first_token_p95). Fires at or below: days until a model that is in use retires (deprecated_model)",
  }),
  window_minutes: z.number().int().min(5).max(1440).meta({
    description:
      "Period that is measured, at most 60 for provider_down. Budgets have their own period; deprecated_model counts the use of 7 days",
  }),
  min_requests: z.number().int().min(1).max(1_000_000).meta({
    description:
      "Doesn't fire with fewer requests (error_rate, latency_p95, time_to_first_token_p95) or attempts (provider_down)",
  }),
  quiet_minutes: z.number().int().min(5).max(10_080).meta({
    description:
      "Shortest time between notifications of the same alert; defaults to 60, for deprecated_model to 10,080",
  }),
  key_hash: named.meta({ description: "Measures only this key" }),
  user_id: named.meta({ description: "Measures only this member" }),
  guardrail_id: Uuid.nullable().meta({ description: "Measures only this guardrail" }),
  provider: named.meta({ description: "Slug: measures only this provider" }),
  webhook_ids: z.array(Uuid).max(MOST_WEBHOOKS_OF_RULE).refine(isUnique, "must not contain duplicates").meta({
    description: "Webhooks that receive `alert.fired` and `alert.resolved`, whichever events they subscribe to",
  }),
  emails: z.array(Email).max(MOST_EMAILS).refine(isUnique, "must not contain duplicates"),
  enabled: z.boolean(),
});

const SlackUrl = z
  .url({ protocol: /^https?$/, abort: true })
  .max(2000)
  .refine((text) => !URL.parse(text)?.username && !text.includes("#"), "must not contain credentials or a fragment");

/** Fields that a request sets. */
const Changes = AlertFields.extend({
  slack_url: SlackUrl.nullable().meta({ description: "Slack incoming webhook; encrypted and not shown again" }),
}).partial();

interface Judged extends Partial<Record<AlertFilter, string | null>> {
  kind: AlertKind;
  threshold?: number;
  window_minutes?: number;
}

/** Problems of values that depend on the kind. */
export function kindIssues(rule: Judged): { path: string[]; message: string }[] {
  const { kind, threshold, window_minutes } = rule;
  const { most } = THRESHOLDS[kind];
  const known: readonly AlertFilter[] = FILTERS_OF[kind];
  return [
    ...(threshold !== undefined && threshold > most
      ? [{ path: ["threshold"], message: `must be at most ${most.toLocaleString("en")}` }]
      : []),
    ...(window_minutes !== undefined && window_minutes > LONGEST_WINDOW[kind]
      ? [{ path: ["window_minutes"], message: `must be at most ${LONGEST_WINDOW[kind].toLocaleString("en")}` }]
      : []),
    ...ALERT_FILTERS.filter((name) => (rule[name] ?? null) !== null && !known.includes(name)).map((name) => ({
      path: [name],
      message: `can't be used with ${kind}`,
    })),
  ];
}

export const CreateAlertBody = z
  .strictObject(Changes.required({ name: true, kind: true, threshold: true }).shape)
  .superRefine((rule, context) => {
    for (const issue of kindIssues(rule)) context.addIssue({ code: "custom", ...issue });
  });
export type CreateAlertBody = z.output<typeof CreateAlertBody>;
export const UpdateAlertBody = z.strictObject(Changes.omit({ kind: true }).shape);
export type UpdateAlertBody = z.output<typeof UpdateAlertBody>;

export const Alert = z
  .object({
    id: Uuid,
    ...AlertFields.shape,
    name: z.string(),
    slack_url: z.string().nullable().meta({ description: "Masked" }),
    firing: z.number().int().min(0).meta({ description: "Number of open firings" }),
    evaluated_at: Timestamp.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: "Alert" });
export type Alert = z.output<typeof Alert>;

const FiringRequests = z
  .object({
    workspace_id: Uuid,
    status: z.enum(GENERATION_STATUSES),
    key_hash: z.string(),
    user_id: z.string(),
    guardrail_id: Uuid,
    blocked_by: Uuid,
    provider: z.string(),
    model: z.string(),
    from: Timestamp.meta({ description: "Start of the measured period" }),
    to: Timestamp.meta({ description: "When it resolved" }),
  })
  .partial();

export const AlertFiring = z
  .object({
    id: Uuid,
    alert_id: Uuid,
    alert_name: z.string(),
    kind: z.enum(ALERT_KINDS),
    state: z.enum(FIRING_STATES),
    message: z.string(),
    value: z.number().meta({ description: "Measured when it fired" }),
    threshold: z.number(),
    fired_at: Timestamp,
    notified_at: Timestamp.nullable().meta({
      description: "Last notification; null if it fired within the quiet period of an earlier one",
    }),
    resolved_at: Timestamp.nullable(),
    requests: FiringRequests.meta({
      description: "Filters of `GET /generations` that list the requests it is about",
    }),
    notifications: z.array(Notification).meta({ description: "The first 100, oldest first" }),
  })
  .meta({ id: "AlertFiring" });
export type AlertFiring = z.output<typeof AlertFiring>;

const alerts = { tag: "Alerts", access: "management" } as const;

export const listAlerts = operation({
  ...alerts,
  id: "listAlerts",
  permission: "alerts:read",
  method: "GET",
  path: "/alerts",
  summary: "List alert rules, oldest first",
  query: PageQuery.extend({
    workspace_id: Uuid.optional().meta({ description: "Rules of this workspace and of all workspaces" }),
  }),
  status: 200,
  result: page(Alert).extend({
    email_available: z.boolean().meta({ description: "True if SIGNALBOX_SMTP_URL is set" }),
  }),
});

export const createAlert = operation({
  ...alerts,
  id: "createAlert",
  permission: "alerts:write",
  recentSignIn: true,
  method: "POST",
  path: "/alerts",
  summary: "Create an alert rule",
  body: CreateAlertBody,
  inspected: true,
  status: 201,
  result: envelope(Alert),
  idempotent: true,
  example: {
    body: { name: "Errors in production", kind: "error_rate", threshold: 5, window_minutes: 15 },
  },
});

export const getAlert = operation({
  ...alerts,
  id: "getAlert",
  permission: "alerts:read",
  method: "GET",
  path: "/alerts/{id}",
  summary: "Get an alert rule",
  params: IdParams,
  status: 200,
  result: envelope(Alert),
});

export const updateAlert = operation({
  ...alerts,
  id: "updateAlert",
  permission: "alerts:write",
  recentSignIn: true,
  method: "PATCH",
  path: "/alerts/{id}",
  summary: "Update the given fields of an alert rule; disabling resolves what is firing",
  params: IdParams,
  body: UpdateAlertBody,
  inspected: true,
  status: 200,
  result: envelope(Alert),
  example: { body: { threshold: 10 } },
});

export const deleteAlert = operation({
  ...alerts,
  id: "deleteAlert",
  permission: "alerts:write",
  method: "DELETE",
  path: "/alerts/{id}",
  summary: "Delete an alert rule with its history",
  params: IdParams,
  status: 200,
  result: Deleted,
});

export const testAlert = operation({
  ...alerts,
  id: "testAlert",
  permission: "alerts:write",
  method: "POST",
  path: "/alerts/{id}/test",
  summary: "Send a test notification to every channel of an alert rule",
  params: IdParams,
  status: 201,
  result: envelope(AlertFiring),
  errors: [409],
});

export const listAlertFirings = operation({
  ...alerts,
  id: "listAlertFirings",
  permission: "alerts:read",
  method: "GET",
  path: "/alert-firings",
  summary: "List firings and tests of the last 30 days with their notifications, newest first",
  query: PageQuery.extend({
    alert_id: Uuid.optional(),
    state: z.enum(FIRING_STATES).optional(),
    workspace_id: Uuid.optional().meta({ description: "Rules of this workspace and of all workspaces" }),
  }),
  status: 200,
  result: page(AlertFiring),
});

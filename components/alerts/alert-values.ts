import type { z } from "zod";
import type { Alert, CreateAlertBody } from "@/lib/features/alerts/contract";
import { defaultsOf, THRESHOLDS, type AlertKind } from "@/lib/features/alerts/vocabulary";

export type AlertValues = z.input<typeof CreateAlertBody>;

export const newValues = (kind: AlertKind): AlertValues => ({
  name: "",
  kind,
  workspace_id: null,
  threshold: THRESHOLDS[kind].default,
  ...defaultsOf(kind),
  key_hash: null,
  user_id: null,
  guardrail_id: null,
  provider: null,
  webhook_ids: [],
  emails: [],
});

/** Values of a stored rule. Undefined keeps its Slack URL. */
export const valuesOf = (alert: Alert): AlertValues => ({
  name: alert.name,
  kind: alert.kind,
  workspace_id: alert.workspace_id,
  threshold: alert.threshold,
  window_minutes: alert.window_minutes,
  min_requests: alert.min_requests,
  quiet_minutes: alert.quiet_minutes,
  key_hash: alert.key_hash,
  user_id: alert.user_id,
  guardrail_id: alert.guardrail_id,
  provider: alert.provider,
  webhook_ids: alert.webhook_ids,
  emails: alert.emails,
  enabled: alert.enabled,
  slack_url: undefined,
});

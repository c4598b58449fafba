/** Event types, in the order of the reference. */
export const EVENT_TYPES = [
  "guardrail.created",
  "guardrail.updated",
  "guardrail.deleted",
  "guardrail.assignments_changed",
  "preset.created",
  "preset.version_created",
  "preset.designated",
  "preset.updated",
  "key.created",
  "key.updated",
  "key.disabled",
  "key.rotated",
  "key.deleted",
  "budget.threshold_reached",
  "budget.exhausted",
  "blocks.spike",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Sent on request, regardless of the subscribed events. */
export const TEST_EVENT = "webhook.test";

/** Messages of alerts. For webhooks, they are sent as events of the same name. */
export const ALERT_MESSAGES = ["alert.fired", "alert.resolved", "alert.test"] as const;
export type AlertMessage = (typeof ALERT_MESSAGES)[number];

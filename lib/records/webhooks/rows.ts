import "server-only";
import type { Webhook as WebhookRow, WebhookDelivery as DeliveryRow } from "../../../prisma/generated/client";
import type { Attempt, Webhook, WebhookDelivery } from "./contract";

/** Returns a webhook's name in the audit log. */
export const target = ({ id, url }: WebhookRow) => ({ type: "webhook", id, name: new URL(url).host });

/** Converts a row to an API object, without secrets. */
export const toWebhook = (row: WebhookRow, now: Date): Webhook => ({
  id: row.id,
  url: row.url,
  description: row.description,
  events: row.events as Webhook["events"],
  enabled: row.enabled,
  disabled_reason: row.disabledReason,
  failing_since: row.failingSince?.toISOString() ?? null,
  previous_secret_expires_at:
    row.previousSecretExpiresAt && row.previousSecretExpiresAt > now ? row.previousSecretExpiresAt.toISOString() : null,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt?.toISOString() ?? null,
});

export const toDelivery = (row: Omit<DeliveryRow, "body">): WebhookDelivery => ({
  id: row.id,
  webhook_id: row.webhookId,
  type: row.type,
  status: row.status,
  attempts: row.attempts as Attempt[],
  next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
});

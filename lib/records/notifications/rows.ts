import "server-only";
import type { Notification as NotificationRow, WebhookDelivery } from "../../../prisma/generated/client";
import type { Attempt } from "../webhooks/contract";
import type { Notification } from "./contract";

type Row = Omit<NotificationRow, "payloadCiphertext"> & {
  webhookDelivery: Pick<WebhookDelivery, "status" | "attempts" | "nextAttemptAt"> | null;
};

/** Converts a row to an API object. A webhook's delivery has the state; without a delivery, the webhook was deleted. */
export function toNotification(row: Row): Notification {
  const isGone = row.channel === "webhook" && row.webhookDelivery === null;
  const state = row.webhookDelivery ?? row;
  return {
    id: row.id,
    channel: row.channel,
    type: row.type as Notification["type"],
    recipient: row.recipient,
    status: isGone ? "failed" : state.status,
    attempts: state.attempts as Attempt[],
    next_attempt_at: isGone ? null : (state.nextAttemptAt?.toISOString() ?? null),
    created_at: row.createdAt.toISOString(),
  };
}

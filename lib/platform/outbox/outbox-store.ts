import "server-only";
import type { Database } from "../database/transaction";
import { uuidv7 } from "../ids";
import type { AlertMessage, EventType, TEST_EVENT } from "./vocabulary";

/** An event to publish. */
export interface OutboxEvent {
  type: EventType;
  data: Readonly<Record<string, unknown>>;
}

/** An event for one webhook. */
interface Addressed {
  webhookId: string;
  type: EventType | AlertMessage | typeof TEST_EVENT;
  data: Readonly<Record<string, unknown>>;
}

/** Publishes events to the organization's subscribed webhooks, in the transaction of the change. */
export async function publish(
  db: Database,
  organizationId: string,
  announcements: readonly OutboxEvent[],
  now: Date,
): Promise<void> {
  if (announcements.length === 0) return;
  // Locked until the end, so that a concurrent deletion of a webhook doesn't fail the change.
  const webhooks = await db.$queryRaw<{ id: string; events: string[] }[]>`
    SELECT id::text, events FROM webhooks WHERE organization_id = ${organizationId}::uuid AND enabled ORDER BY id FOR KEY SHARE`;
  const addressed = webhooks.flatMap(({ id, events }) =>
    announcements
      .filter(({ type }) => events.includes(type))
      .map((announcement) => ({ ...announcement, webhookId: id })),
  );
  await createDeliveries(db, addressed, now);
}

/** Writes deliveries, due at once, and returns their ids. */
export async function createDeliveries(db: Database, addressed: readonly Addressed[], now: Date): Promise<string[]> {
  if (addressed.length === 0) return [];
  const timestamp = now.toISOString();
  const deliveries = addressed.map(({ webhookId, type, data }) => ({
    id: uuidv7(now),
    webhookId,
    type,
    body: JSON.stringify({ type, timestamp, data }),
    nextAttemptAt: now,
    createdAt: now,
  }));
  await db.webhookDelivery.createMany({ data: deliveries });
  return deliveries.map(({ id }) => id);
}

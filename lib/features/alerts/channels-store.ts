import "server-only";
import type { AlertFiring, AlertRule } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";
import type { Env } from "../../platform/env";
import { uuidv7 } from "../../platform/ids";
import { createDeliveries } from "../../platform/outbox/outbox-store";
import type { Message } from "../../records/notifications/message";
import { notify } from "../../records/notifications/outbox-store";
import type { AlertMessage } from "../../platform/outbox/vocabulary";
import { titleOf } from "./alert-text";
import { openSlackUrl } from "./secret-rows";

/** Writes a message for every channel of the rule, in the transaction of the firing. */
export async function sendToChannels(
  db: Database,
  settings: Env,
  rule: AlertRule,
  firing: AlertFiring,
  type: AlertMessage,
  now: Date,
): Promise<void> {
  await sendToWebhooks(db, rule, firing, type, now);
  const url = settings.publicUrl;
  const message: Message = {
    title: titleOf(type, rule.name),
    text: firing.message,
    link: url === undefined ? null : { label: "Open in Signalbox", url: `${url}/alerts?alert=${rule.id}` },
  };
  const { organizationId, slackCiphertext } = rule;
  const slack =
    slackCiphertext === null
      ? []
      : [{ channel: "slack" as const, url: openSlackUrl(settings, rule, slackCiphertext), message }];
  const emails = (rule.emails as string[]).map((to) => ({ channel: "email" as const, to, message }));
  await notify(
    db,
    settings,
    [...slack, ...emails].map((payload) => ({ organizationId, type, firingId: firing.id, payload })),
    now,
  );
}

/** Skips deleted webhooks. */
async function sendToWebhooks(
  db: Database,
  rule: AlertRule,
  firing: AlertFiring,
  type: AlertMessage,
  now: Date,
): Promise<void> {
  const ids = rule.webhookIds as string[];
  if (ids.length === 0) return;
  const webhooks = await db.$queryRaw<{ id: string; url: string }[]>`
    SELECT id::text, url FROM webhooks WHERE organization_id = ${rule.organizationId}::uuid AND id = ANY(${ids}::uuid[]) ORDER BY id FOR KEY SHARE`;
  const data = {
    message: firing.message,
    alert: { id: rule.id, name: rule.name, kind: rule.kind },
    workspace_id: rule.workspaceId,
    firing_id: firing.id,
    value: firing.value,
    threshold: firing.threshold,
    fired_at: firing.startedAt.toISOString(),
    resolved_at: firing.isTest ? null : (firing.resolvedAt?.toISOString() ?? null),
  };
  const deliveryIds = await createDeliveries(
    db,
    webhooks.map(({ id: webhookId }) => ({ webhookId, type, data })),
    now,
  );
  await db.notification.createMany({
    data: webhooks.map(({ url }, index) => ({
      id: uuidv7(now),
      organizationId: rule.organizationId,
      channel: "webhook" as const,
      type,
      recipient: new URL(url).host,
      firingId: firing.id,
      webhookDeliveryId: deliveryIds[index] ?? null,
      createdAt: now,
    })),
  });
}

import "server-only";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { conflict, notFound } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import { skipTake } from "../../platform/http/pagination";
import type * as contract from "./contract";
import { createDeliveries } from "../../platform/outbox/outbox-store";
import { toDelivery } from "./rows";
import { findWebhook } from "./service";
import { TEST_EVENT } from "../../platform/outbox/vocabulary";

export async function list(
  context: Context,
  { params, query }: Input<typeof contract.listWebhookDeliveries>,
): Promise<Result<typeof contract.listWebhookDeliveries>> {
  const where = { status: query.status };
  const webhook = await context.db.webhook.findFirst({
    where: { id: params.id, organizationId: context.caller.organizationId },
    select: {
      deliveries: {
        where,
        omit: { body: true },
        orderBy: [{ createdAt: "desc" }, { id: "desc" }],
        ...skipTake(query),
      },
      _count: { select: { deliveries: { where } } },
    },
  });
  if (!webhook) throw notFound();
  return { data: webhook.deliveries.map(toDelivery), total_count: webhook._count.deliveries };
}

export async function get(
  context: Context,
  { params }: Input<typeof contract.getWebhookDelivery>,
): Promise<Result<typeof contract.getWebhookDelivery>> {
  const row = await find(context.db, context, params);
  return { data: { ...toDelivery(row), body: row.body } };
}

export async function test(
  context: Context,
  { params }: Input<typeof contract.testWebhook>,
): Promise<Result<typeof contract.testWebhook>> {
  const { now, requestId } = context;
  return inTransaction(context.db, async (db) => {
    const { id: webhookId } = await findWebhook(db, context, params.id);
    const [id = ""] = await createDeliveries(
      db,
      [{ webhookId, type: TEST_EVENT, data: { message: "Test event from Signalbox", request_id: requestId } }],
      now,
    );
    return { data: toDelivery(await find(db, context, { id: webhookId, delivery_id: id })) };
  });
}

/** Restarts the retry schedule. An attempt in progress no longer matches its due time. */
export async function redeliver(
  context: Context,
  { params }: Input<typeof contract.redeliverWebhook>,
): Promise<Result<typeof contract.redeliverWebhook>> {
  const { now } = context;
  return inTransaction(context.db, async (db) => {
    const webhook = await findWebhook(db, context, params.id);
    if (!webhook.enabled) throw conflict("The webhook is disabled. Enable it first");
    const { id } = await find(db, context, params);
    const row = await db.webhookDelivery.update({
      where: { id },
      data: { status: "pending", tries: 0, nextAttemptAt: now },
    });
    await recordChange(db, context, {
      action: "webhook.redeliver",
      target: { type: "webhook", id: webhook.id, name: new URL(webhook.url).host },
      after: { delivery_id: id, type: row.type },
    });
    return { data: toDelivery(row) };
  });
}

async function find(db: Database, { caller }: Context, { id, delivery_id }: { id: string; delivery_id: string }) {
  const row = await db.webhookDelivery.findFirst({
    where: { id: delivery_id, webhookId: id, webhook: { organizationId: caller.organizationId } },
  });
  if (!row) throw notFound();
  return row;
}

import "server-only";
import type { Prisma, Webhook, WebhookDelivery } from "../../../prisma/generated/client";
import { recordOwnChange } from "../../platform/audit/store";
import { storableJson } from "../../platform/database/storable-json";
import { inTransaction, type Database } from "../../platform/database/transaction";
import type { Env } from "../../platform/env";
import { FairDispatch, type Due } from "../../platform/jobs/fair-dispatch";
import { whileLeased } from "../../platform/jobs/lease-store";
import { logger } from "../../platform/logger";
import { readStart } from "../../platform/outbound/bounded-body";
import { OutboundFailure } from "../../platform/outbound/failure";
import { outboundFetch } from "../../platform/outbound/fetch";
import type { Attempt } from "./contract";
import { isAccepted, nextAttempt, reasonToDisable } from "./delivery";
import { findDueDeliveries } from "./due-store";
import { target, toWebhook } from "./rows";
import { openSecrets } from "./secret-rows";
import { signedHeaders } from "./signature";
import { TEST_EVENT } from "../../platform/outbox/vocabulary";

/** Maximum time from the first byte sent to the last byte read. */
const DEADLINE_MS = 10_000;
const TIMEOUTS = { connect: 5_000, firstByte: DEADLINE_MS, idle: DEADLINE_MS };
const MOST_ANSWER_BYTES = 1024;
const MOST_ATTEMPTS_KEPT = 20;

/** Dependencies of a delivery; the signal aborts when the process stops. */
export interface DeliveryContext {
  db: Database;
  settings: Env;
  clock: () => Date;
  signal: AbortSignal;
}

/** Maximum number of concurrent deliveries and messages in a process. */
export const DELIVERY_SHARES = { total: 200, ofOrganization: 40, ofReceiver: 10 } as const;

/** Makes due deliveries, with a limit per webhook. */
export function webhookDispatch(
  context: DeliveryContext,
  failed: (error: unknown) => void,
): FairDispatch<Due & { dueAt: Date }> {
  const { db, clock, signal } = context;
  return new FairDispatch({
    find: () => findDueDeliveries(db, clock(), DELIVERY_SHARES.ofReceiver),
    run: (due) =>
      whileLeased(context, "webhook_deliveries", due, (due_at) => deliver(context, { delivery_id: due.id, due_at })),
    shares: DELIVERY_SHARES,
    failed,
    signal,
  });
}

/** Makes a due attempt and records its result. Does nothing when it is no longer due; fails when the process stops. */
export async function deliver(
  context: DeliveryContext,
  { delivery_id: id, due_at }: { delivery_id: string; due_at: string },
): Promise<void> {
  const { db, settings, clock } = context;
  const due = { id, status: "pending", nextAttemptAt: new Date(due_at) } as const;
  const delivery = await db.webhookDelivery.findFirst({ where: due, include: { webhook: true } });
  if (!delivery) return;
  const { webhook, body, type } = delivery;
  const at = clock();
  if (!webhook.enabled && type !== TEST_EVENT) {
    await db.webhookDelivery.updateMany({ where: due, data: { status: "failed", nextAttemptAt: null } });
    return;
  }
  const outcome = await post(
    context,
    webhook.url,
    signedHeaders(openSecrets(settings, webhook, at), id, at, body),
    body,
  );
  await inTransaction(db, (transaction) => settle(transaction, due, { at: at.toISOString(), ...outcome }, clock()));
}

/** Sends a JSON body once; rejects only when the process stops. */
export async function post(
  { settings, signal }: DeliveryContext,
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<Omit<Attempt, "at">> {
  const start = performance.now();
  const ms = () => Math.round(performance.now() - start);
  try {
    const response = await outboundFetch({
      peer: "receiver",
      method: "POST",
      url,
      headers: { ...headers, "content-type": "application/json", "user-agent": "Signalbox" },
      body,
      allowPrivate: settings.allowPrivateUpstreams,
      timeouts: TIMEOUTS,
      signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
    });
    const { status } = response;
    // A response that breaks off still has a status.
    const answer = await readStart(response, MOST_ANSWER_BYTES).catch(() => null);
    signal.throwIfAborted();
    return { status, ms: ms(), answer, error: isAccepted(status) ? null : `The receiver returned ${status}` };
  } catch (error) {
    signal.throwIfAborted();
    const { status = null, message } =
      error instanceof OutboundFailure ? error : { message: `No response within ${DEADLINE_MS / 1000} s` };
    return { status, ms: ms(), answer: null, error: isAccepted(status) ? null : message };
  }
}

/** Records an attempt, and its consequences unless a redelivery happened in the meantime. */
async function settle(
  db: Database,
  { id, nextAttemptAt }: { id: string; nextAttemptAt: Date },
  made: Attempt,
  now: Date,
): Promise<void> {
  await db.$queryRaw`SELECT 1 AS locked FROM webhook_deliveries WHERE id = ${id}::uuid FOR UPDATE`;
  const delivery = await db.webhookDelivery.findUnique({ where: { id }, include: { webhook: true } });
  // Deleted with its webhook in the meantime.
  if (!delivery) return;
  const kept = [...(delivery.attempts as Attempt[]), made].slice(-MOST_ATTEMPTS_KEPT);
  const attempts = JSON.parse(storableJson(kept)) as Prisma.InputJsonArray;
  const isSuperseded = delivery.nextAttemptAt?.getTime() !== nextAttemptAt.getTime();
  if (isSuperseded) {
    await db.webhookDelivery.update({ where: { id }, data: { attempts } });
    return;
  }
  const isDelivered = isAccepted(made.status);
  const isStopped = await updateWebhook(db, delivery, made, now);
  const tries = delivery.tries + 1;
  const next = isDelivered || isStopped ? null : nextAttempt(tries, now);
  const status = isDelivered ? "delivered" : next ? "pending" : "failed";
  await db.webhookDelivery.update({ where: { id }, data: { attempts, tries, status, nextAttemptAt: next } });
}

/** Updates the webhook after an attempt; returns true when it was disabled. */
async function updateWebhook(
  db: Database,
  { id: jobId, webhook }: WebhookDelivery & { webhook: Webhook },
  { status }: Attempt,
  now: Date,
): Promise<boolean> {
  const { id, organizationId } = webhook;
  if (isAccepted(status)) {
    if (webhook.failingSince) await db.webhook.update({ where: { id }, data: { failingSince: null } });
    return false;
  }
  const failingSince = webhook.failingSince ?? now;
  const disabledReason = reasonToDisable(status, failingSince, now);
  if (disabledReason === null) {
    if (!webhook.failingSince) await db.webhook.update({ where: { id }, data: { failingSince } });
    return false;
  }
  logger().warn({ webhook: id, disabledReason }, "webhook disabled");
  const row = await db.webhook.update({ where: { id }, data: { failingSince, enabled: false, disabledReason } });
  const change = {
    action: "webhook.disable",
    target: target(row),
    before: toWebhook(webhook, now),
    after: toWebhook(row, now),
  } as const;
  await recordOwnChange(db, { organizationId, jobId, now }, change);
  return true;
}

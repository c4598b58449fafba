import "server-only";
import type { Prisma } from "../../../prisma/generated/client";
import { storableJson } from "../../platform/database/storable-json";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { FairDispatch, type Due } from "../../platform/jobs/fair-dispatch";
import { whileLeased } from "../../platform/jobs/lease-store";
import type { Attempt } from "../webhooks/contract";
import { isAccepted, nextAttempt } from "../webhooks/delivery";
import { DELIVERY_SHARES, post, type DeliveryContext } from "../webhooks/delivery-service";
import { findDueNotifications } from "./due-store";
import { slackBody, type Payload } from "./message";
import { openPayload } from "./secret-rows";
import { sendEmail } from "./smtp-client";

const EMAIL_DEADLINE_MS = 10_000;
const MOST_ATTEMPTS_KEPT = 20;
const MOST_ANSWER = 1024;

/** Outcome of an attempt; `isAccepted` when the receiver accepted the message. */
type Outcome = Omit<Attempt, "at"> & { isAccepted: boolean };

/** Sends due messages, with a limit per recipient. */
export function notificationDispatch(
  context: DeliveryContext,
  failed: (error: unknown) => void,
): FairDispatch<Due & { dueAt: Date }> {
  const { db, clock, signal } = context;
  return new FairDispatch({
    find: () => findDueNotifications(db, clock(), DELIVERY_SHARES.ofReceiver),
    run: (due) =>
      whileLeased(context, "notifications", due, (due_at) =>
        deliverNotification(context, { notification_id: due.id, due_at }),
      ),
    shares: DELIVERY_SHARES,
    failed,
    signal,
  });
}

/** Makes a due attempt and records its result. Does nothing when it is no longer due; fails when the process stops. */
export async function deliverNotification(
  context: DeliveryContext,
  { notification_id: id, due_at }: { notification_id: string; due_at: string },
): Promise<void> {
  const { db, settings, clock } = context;
  const due = { id, status: "pending", nextAttemptAt: new Date(due_at) } as const;
  const row = await db.notification.findFirst({ where: due });
  if (!row?.payloadCiphertext) return;
  const at = clock();
  const { isAccepted: isDelivered, ...outcome } = await send(
    context,
    id,
    openPayload(settings, row, row.payloadCiphertext),
  );
  await inTransaction(db, (transaction) =>
    settle(transaction, due, { at: at.toISOString(), ...outcome }, isDelivered, clock()),
  );
}

async function send(context: DeliveryContext, id: string, payload: Payload): Promise<Outcome> {
  if (payload.channel === "email") return email(context, id, payload);
  const made = await post(context, payload.url, {}, JSON.stringify(slackBody(payload.message)));
  return { ...made, isAccepted: isAccepted(made.status) };
}

async function email(
  { settings, signal }: DeliveryContext,
  id: string,
  { to, message }: Extract<Payload, { channel: "email" }>,
): Promise<Outcome> {
  if (!settings.smtp)
    return { status: null, ms: 0, answer: null, error: "SIGNALBOX_SMTP_URL isn't set", isAccepted: false };
  const start = performance.now();
  const ms = () => Math.round(performance.now() - start);
  try {
    const answer = await sendEmail(settings.smtp, { id, to, message }, EMAIL_DEADLINE_MS);
    return { status: statusOf(answer), ms: ms(), answer: answer.slice(0, MOST_ANSWER), error: null, isAccepted: true };
  } catch (error) {
    signal.throwIfAborted();
    const { response, code, message: reason } = error as { response?: string; code?: string; message: string };
    return {
      status: response === undefined ? null : statusOf(response),
      ms: ms(),
      answer: response?.slice(0, MOST_ANSWER) ?? null,
      error: emailError(code, reason, response).slice(0, 500),
      isAccepted: false,
    };
  }
}

/** Describes the cause, and the setting to change if it is known. */
function emailError(code: string | undefined, reason: string, answer: string | undefined): string {
  if (/certificate/i.test(reason))
    return `The mail server's certificate isn't trusted: ${reason}. If its authority is your own, set NODE_EXTRA_CA_CERTS`;
  if (code === "ETLS") return `The mail server offers no encryption: ${reason}`;
  return answer === undefined ? `${code ?? "Error"}: ${reason}` : "The mail server refused the email";
}

/** SMTP's reply code: "250 2.0.0 OK". */
const statusOf = (answer: string): number | null => (/^\d{3}\b/.test(answer) ? Number(answer.slice(0, 3)) : null);

async function settle(
  db: Database,
  due: { id: string; status: "pending"; nextAttemptAt: Date },
  made: Attempt,
  isDelivered: boolean,
  now: Date,
): Promise<void> {
  const { id } = due;
  await db.$queryRaw`SELECT 1 AS locked FROM notifications WHERE id = ${id}::uuid FOR UPDATE`;
  const row = await db.notification.findFirst({ where: due });
  // Another process settled it, or it was deleted in the meantime.
  if (!row) return;
  const attempts = JSON.parse(
    storableJson([...(row.attempts as Attempt[]), made].slice(-MOST_ATTEMPTS_KEPT)),
  ) as Prisma.InputJsonArray;
  const tries = row.tries + 1;
  const next = isDelivered ? null : nextAttempt(tries, now);
  const status = isDelivered ? "delivered" : next ? "pending" : "failed";
  await db.notification.update({
    where: { id },
    data: { attempts, tries, status, nextAttemptAt: next, ...(next === null && { payloadCiphertext: null }) },
  });
}

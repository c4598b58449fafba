import "server-only";
import type { Webhook as WebhookRow } from "../../../prisma/generated/client";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { conflict, notFound } from "../../platform/api-error";
import { inspected, type Inspect } from "../../platform/http/inspected";
import type { Input, Result } from "../../platform/http/operation";
import { skipTake } from "../../platform/http/pagination";
import { uuidv7 } from "../../platform/ids";
import { urlProblem } from "../../platform/outbound/blocked-address";
import type * as contract from "./contract";
import { target, toWebhook } from "./rows";
import { sealSecret } from "./secret-rows";
import { newSecret } from "./signature";
import { lockOrganization } from "../organization/lock-store";

export const MOST_WEBHOOKS = 50;

/** Rejects addresses that this installation doesn't allow. */
const inspect: Inspect = ({ url }, { allowPrivateUpstreams }) => {
  const problem = typeof url === "string" && URL.canParse(url) ? urlProblem(url, allowPrivateUpstreams) : null;
  return problem === null ? [] : [{ path: ["url"], message: problem, code: "address_not_allowed" }];
};

/** Returns the organization's webhook; 404 when missing or foreign. */
export async function findWebhook(db: Database, { caller }: Context, id: string): Promise<WebhookRow> {
  const row = await db.webhook.findFirst({ where: { id, organizationId: caller.organizationId } });
  if (!row) throw notFound();
  return row;
}

/** Returns the webhook locked until the end of the transaction. */
async function lockWebhook(db: Database, context: Context, id: string): Promise<WebhookRow> {
  await db.$queryRaw`SELECT 1 AS locked FROM webhooks WHERE id = ${id}::uuid AND organization_id = ${context.caller.organizationId}::uuid FOR UPDATE`;
  return findWebhook(db, context, id);
}

export async function list(
  context: Context,
  { query }: Input<typeof contract.listWebhooks>,
): Promise<Result<typeof contract.listWebhooks>> {
  const where = { organizationId: context.caller.organizationId };
  const rows = await context.db.webhook.findMany({
    where,
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    ...skipTake(query),
  });
  return {
    data: rows.map((row) => toWebhook(row, context.now)),
    total_count: await context.db.webhook.count({ where }),
  };
}

export async function get(
  context: Context,
  { params }: Input<typeof contract.getWebhook>,
): Promise<Result<typeof contract.getWebhook>> {
  return { data: toWebhook(await findWebhook(context.db, context, params.id), context.now) };
}

export const create = inspected(
  inspect,
  async (
    context: Context,
    { body }: Input<typeof contract.createWebhook>,
  ): Promise<Result<typeof contract.createWebhook>> => {
    const { caller, now, settings } = context;
    const identity = { id: uuidv7(now), organizationId: caller.organizationId };
    const secret = newSecret();
    return inTransaction(context.db, async (db) => {
      await lockOrganization(db, caller.organizationId);
      if ((await db.webhook.count({ where: { organizationId: caller.organizationId } })) >= MOST_WEBHOOKS) {
        throw conflict(`An organization can have at most ${MOST_WEBHOOKS} webhooks. Delete one first`);
      }
      const row = await db.webhook.create({
        data: { ...body, ...identity, secretCiphertext: sealSecret(settings, identity, secret), createdAt: now },
      });
      const webhook = toWebhook(row, now);
      await recordChange(db, context, { action: "webhook.create", target: target(row), after: webhook });
      return { data: webhook, secret };
    });
  },
);

/** Enabling a webhook clears the reason for disabling it. */
export const update = inspected(
  inspect,
  async (
    context: Context,
    { params, body }: Input<typeof contract.updateWebhook>,
  ): Promise<Result<typeof contract.updateWebhook>> => {
    const { now } = context;
    return inTransaction(context.db, async (db) => {
      const before = await lockWebhook(db, context, params.id);
      const isSwitched = body.enabled !== undefined && body.enabled !== before.enabled;
      const row = await db.webhook.update({
        where: { id: before.id },
        data: { ...body, ...(isSwitched && { disabledReason: null, failingSince: null }), updatedAt: now },
      });
      const after = toWebhook(row, now);
      await recordChange(db, context, {
        action: "webhook.update",
        target: target(row),
        before: toWebhook(before, now),
        after,
      });
      return { data: after };
    });
  },
);

export async function remove(
  context: Context,
  { params }: Input<typeof contract.deleteWebhook>,
): Promise<Result<typeof contract.deleteWebhook>> {
  return inTransaction(context.db, async (db) => {
    const before = await lockWebhook(db, context, params.id);
    await db.webhook.delete({ where: { id: before.id } });
    await recordChange(db, context, {
      action: "webhook.delete",
      target: target(before),
      before: toWebhook(before, context.now),
    });
    return { deleted: true as const };
  });
}

/** Only the most recent previous secret continues to sign. */
export async function rotate(
  context: Context,
  { params, body }: Input<typeof contract.rotateWebhookSecret>,
): Promise<Result<typeof contract.rotateWebhookSecret>> {
  const { now, settings } = context;
  const secret = newSecret();
  return inTransaction(context.db, async (db) => {
    const before = await lockWebhook(db, context, params.id);
    const row = await db.webhook.update({
      where: { id: before.id },
      data: {
        secretCiphertext: sealSecret(settings, before, secret),
        previousSecretCiphertext: before.secretCiphertext,
        previousSecretExpiresAt: new Date(now.getTime() + body.grace_seconds * 1000),
        updatedAt: now,
      },
    });
    const webhook = toWebhook(row, now);
    await recordChange(db, context, {
      action: "webhook.rotate",
      target: target(row),
      after: { previous_secret_expires_at: webhook.previous_secret_expires_at },
    });
    return { data: webhook, secret };
  });
}

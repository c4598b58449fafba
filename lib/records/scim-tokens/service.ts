import "server-only";
import { conflict, invalid, notFound } from "../../platform/api-error";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { inTransaction } from "../../platform/database/transaction";
import type { Input, Result } from "../../platform/http/operation";
import { uuidv7 } from "../../platform/ids";
import { keyHash, keyLabel, newKeyText } from "../../platform/key-text";
import type * as contract from "./contract";
import { toAuditedToken, toScimToken } from "./rows";
import { MOST_SCIM_TOKENS } from "./vocabulary";
import { lockOrganization } from "../organization/lock-store";

export async function getDirectory({
  db,
  caller: { organizationId },
  origin,
}: Context): Promise<Result<typeof contract.getDirectory>> {
  const provisioned = { organizationId, deletedAt: null, provisionedAt: { not: null } };
  const [active, deactivated, groups, tokens] = await Promise.all([
    db.member.count({ where: { ...provisioned, deactivatedAt: null } }),
    db.member.count({ where: { ...provisioned, deactivatedAt: { not: null } } }),
    db.group.count({ where: { organizationId, source: "scim" } }),
    db.scimToken.aggregate({ where: { organizationId }, _max: { lastUsedAt: true } }),
  ]);
  return {
    data: {
      base_url: `${origin}/v1/scim/v2`,
      last_request_at: tokens._max.lastUsedAt?.toISOString() ?? null,
      members: { active, deactivated },
      groups,
    },
  };
}

export async function list({
  db,
  caller: { organizationId },
}: Context): Promise<Result<typeof contract.listScimTokens>> {
  const rows = await db.scimToken.findMany({
    where: { organizationId },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MOST_SCIM_TOKENS,
  });
  return { data: rows.map(toScimToken) };
}

export async function create(
  context: Context,
  { body }: Input<typeof contract.createScimToken>,
): Promise<Result<typeof contract.createScimToken>> {
  const { caller, now } = context;
  const { organizationId } = caller;
  const expiresAt = body.expires_at === null ? null : new Date(body.expires_at);
  if (expiresAt !== null && expiresAt <= now)
    throw invalid([{ path: ["expires_at"], message: "must be in the future", code: "custom" }]);
  const token = newKeyText("scim");
  return inTransaction(context.db, async (db) => {
    await lockOrganization(db, context.caller.organizationId);
    if ((await db.scimToken.count({ where: { organizationId } })) >= MOST_SCIM_TOKENS)
      throw conflict(`An organization can have at most ${MOST_SCIM_TOKENS} SCIM tokens. Delete one first`);
    const row = await db.scimToken.create({
      data: {
        id: uuidv7(now),
        organizationId,
        hash: keyHash(token),
        label: keyLabel(token),
        name: body.name,
        createdBy: caller.userId,
        expiresAt,
        createdAt: now,
      },
    });
    await recordChange(db, context, {
      action: "scim_token.create",
      target: { type: "scim_token", id: row.id, name: row.name },
      after: toAuditedToken(row),
    });
    return { data: toScimToken(row), token };
  });
}

export async function remove(
  context: Context,
  { params }: Input<typeof contract.deleteScimToken>,
): Promise<Result<typeof contract.deleteScimToken>> {
  const { organizationId } = context.caller;
  return inTransaction(context.db, async (db) => {
    const row = await db.scimToken.findFirst({ where: { id: params.id, organizationId } });
    const { count } = row ? await db.scimToken.deleteMany({ where: { id: row.id, organizationId } }) : { count: 0 };
    if (!row || count === 0) throw notFound();
    await recordChange(db, context, {
      action: "scim_token.delete",
      target: { type: "scim_token", id: row.id, name: row.name },
      before: toAuditedToken(row),
    });
    return { deleted: true as const };
  });
}

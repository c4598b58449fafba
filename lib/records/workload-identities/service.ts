import "server-only";
import type { Key, Prisma, WorkloadIdentity as Row } from "../../../prisma/generated/client";
import { conflict, invalid, notFound } from "../../platform/api-error";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { json } from "../../platform/database/json";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { inspected, type Inspect } from "../../platform/http/inspected";
import type { Input, Result } from "../../platform/http/operation";
import { uuidv7 } from "../../platform/ids";
import { urlProblem } from "../../platform/outbound/blocked-address";
import { permittedKeys, type KeyPermission } from "../keys/reach-rows";
import type * as contract from "./contract";
import { toWorkloadIdentity } from "./rows";
import { MOST_IDENTITIES } from "./vocabulary";

/** Without its keys, an issuer must be an address that this installation may call. */
const inspect: Inspect = ({ issuer, jwks }, { allowPrivateUpstreams }) => {
  if (typeof issuer !== "string" || !URL.canParse(issuer) || (jwks !== undefined && jwks !== null)) return [];
  const problem = urlProblem(issuer, allowPrivateUpstreams);
  return problem === null ? [] : [{ path: ["issuer"], message: problem, code: "custom" }];
};

/** Finds an inference key of the organization, and locks it so that its identities are counted right. */
async function lockKey(db: Database, context: Context, hash: string): Promise<Key> {
  await db.$queryRaw`SELECT 1 AS locked FROM keys WHERE hash = ${hash} FOR NO KEY UPDATE`;
  return findKey(db, context, hash, "keys:write");
}

/** A member's own key elsewhere isn't enough: an identity lets programs use the key without its text. */
async function findKey(db: Database, context: Context, hash: string, permission: KeyPermission): Promise<Key> {
  const key = await db.key.findFirst({ where: { ...permittedKeys(context, permission), hash } });
  if (!key) throw notFound();
  return key;
}

async function findIdentity(db: Database, key: Key, id: string): Promise<Row> {
  const row = await db.workloadIdentity.findFirst({ where: { id, keyId: key.id, organizationId: key.organizationId } });
  if (!row) throw notFound();
  return row;
}

const target = ({ id, name }: Row) => ({ type: "workload_identity", id, name });

export async function list(
  context: Context,
  { params }: Input<typeof contract.listWorkloadIdentities>,
): Promise<Result<typeof contract.listWorkloadIdentities>> {
  const { db, caller } = context;
  const key = await findKey(db, context, params.hash, "keys:read");
  const rows = await db.workloadIdentity.findMany({
    where: { keyId: key.id, organizationId: caller.organizationId },
    orderBy: { createdAt: "desc" },
  });
  return { data: rows.map((row) => toWorkloadIdentity(row, key.hash)) };
}

export const create = inspected(
  inspect,
  async (
    context: Context,
    { params, body }: Input<typeof contract.createWorkloadIdentity>,
  ): Promise<Result<typeof contract.createWorkloadIdentity>> => {
    const { now } = context;
    return inTransaction(context.db, async (db) => {
      const key = await lockKey(db, context, params.hash);
      if (key.kind !== "inference")
        throw invalid([{ path: ["hash"], message: "must be an inference key", code: "custom" }]);
      if ((await db.workloadIdentity.count({ where: { keyId: key.id } })) >= MOST_IDENTITIES)
        throw conflict(`A key can have at most ${MOST_IDENTITIES} workload identities. Delete one first`);
      const { lifetime_seconds, jwks, ...fields } = body;
      const row = await db.workloadIdentity.create({
        data: {
          id: uuidv7(now),
          organizationId: key.organizationId,
          keyId: key.id,
          ...fields,
          jwks: json(jwks),
          lifetimeSeconds: lifetime_seconds,
          createdAt: now,
        },
      });
      const after = toWorkloadIdentity(row, key.hash);
      const { workspaceId } = key;
      await recordChange(db, context, { action: "workload_identity.create", target: target(row), workspaceId, after });
      return { data: after };
    });
  },
);

export const update = inspected(
  inspect,
  async (
    context: Context,
    { params, body }: Input<typeof contract.updateWorkloadIdentity>,
  ): Promise<Result<typeof contract.updateWorkloadIdentity>> =>
    inTransaction(context.db, async (db) => {
      const key = await lockKey(db, context, params.hash);
      const before = await findIdentity(db, key, params.id);
      const { lifetime_seconds, jwks, ...fields } = body;
      const row = await db.workloadIdentity.update({
        where: { id: before.id },
        data: {
          ...(fields as Prisma.WorkloadIdentityUpdateInput),
          ...(jwks !== undefined && { jwks: json(jwks) }),
          ...(lifetime_seconds !== undefined && { lifetimeSeconds: lifetime_seconds }),
          updatedAt: context.now,
        },
      });
      const after = toWorkloadIdentity(row, key.hash);
      await recordChange(db, context, {
        action: "workload_identity.update",
        target: target(row),
        workspaceId: key.workspaceId,
        before: toWorkloadIdentity(before, key.hash),
        after,
      });
      return { data: after };
    }),
);

/** Deletes an identity with the keys that were exchanged for its tokens. */
export async function remove(
  context: Context,
  { params }: Input<typeof contract.deleteWorkloadIdentity>,
): Promise<Result<typeof contract.deleteWorkloadIdentity>> {
  return inTransaction(context.db, async (db) => {
    const key = await lockKey(db, context, params.hash);
    const before = await findIdentity(db, key, params.id);
    await db.keySecret.deleteMany({ where: { keyId: key.id, workload: { path: ["identity_id"], equals: before.id } } });
    await db.workloadIdentity.delete({ where: { id: before.id } });
    await recordChange(db, context, {
      action: "workload_identity.delete",
      target: target(before),
      workspaceId: key.workspaceId,
      before: toWorkloadIdentity(before, key.hash),
    });
    return { deleted: true as const };
  });
}

import "server-only";
import type { Caller, Context } from "../context";
import { isOrdinaryMember } from "../context";
import { loadLayers } from "../policy/load-layers";
import { refusalsOf } from "../policy/routing-policy";
import { toPlanEndpoint, WITH_ENDPOINTS, type ModelRow } from "./rows";

/** More models than any organization has; a caller under a policy is shown what it leaves of these. */
const MAX_JUDGED = 10_000;

const isUnderPolicy = (caller: Caller) => isOrdinaryMember(caller) || (caller.kind === "key" && caller.keyKind === "inference");

/** A page of models by slug: an admin's all, anybody else's what their guardrails leave. */
export async function whatPolicyLeaves(context: Context, offset: number, limit: number): Promise<{ rows: ModelRow[]; total: number }> {
  const { caller, db } = context;
  const all = { where: { organizationId: caller.organizationId }, orderBy: { slug: "asc" }, include: WITH_ENDPOINTS } as const;
  if (!isUnderPolicy(caller)) {
    const rows = await db.model.findMany({ ...all, skip: offset, take: limit });
    return { rows, total: await db.model.count({ where: all.where }) };
  }
  const { zdrVendors } = context.settings;
  const subject = { workspaceId: caller.workspaceId, userId: caller.userId, keyId: caller.kind === "key" ? caller.keyId : null };
  const layers = await loadLayers(db, subject, zdrVendors);
  const left = (await db.model.findMany({ ...all, take: MAX_JUDGED }))
    .map((model) => ({
      ...model,
      endpoints: model.endpoints.filter((endpoint) => refusalsOf(layers, toPlanEndpoint(model, endpoint), zdrVendors).length === 0),
    }))
    .filter(({ endpoints }) => endpoints.length > 0);
  return { rows: left.slice(offset, offset + limit), total: left.length };
}

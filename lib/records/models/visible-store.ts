import "server-only";
import type { Prisma } from "../../../prisma/generated/client";
import type { Caller, Context } from "../../platform/context";
import { holds } from "../../platform/grants";
import { literal } from "../../platform/database/literal";
import type { Input } from "../../platform/http/operation";
import { sortOrder } from "../../platform/http/pagination";
import { loadLayers } from "../guardrails/layers-store";
import { refusalsOf } from "../../engine/policy/routing";
import type { listModels } from "./contract";
import { layersByMode } from "../../engine/policy/layers";
import { toPlanEndpoint, WITH_ENDPOINTS, type ModelRow } from "./rows";

/** Maximum number of models filtered by policy; larger than any catalogue. */
export const MAX_JUDGED = 10_000;

const isUnderPolicy = (caller: Caller) => !holds(caller, "providers:read");

type Query = Input<typeof listModels>["query"];

const matching = ({ q, provider }: Query): Prisma.ModelWhereInput => ({
  ...(q && {
    OR: [
      { slug: { contains: literal(q), mode: "insensitive" } },
      { name: { contains: literal(q), mode: "insensitive" } },
    ],
  }),
  ...(provider && { endpoints: { some: { provider: { slug: provider } } } }),
});

function orderBy({ sort = "slug" }: Query): Prisma.ModelOrderByWithRelationInput[] {
  const { field, direction } = sortOrder(sort);
  return [{ [field === "created_at" ? "createdAt" : field]: direction }, { slug: direction }];
}

/** Returns a page of models: all with the permission, otherwise only the models that the caller's guardrails allow. */
export async function visibleModels(context: Context, query: Query): Promise<{ rows: ModelRow[]; total: number }> {
  const { caller, db } = context;
  const { offset, limit } = query;
  const all = {
    where: { organizationId: caller.organizationId, ...matching(query) },
    orderBy: orderBy(query),
    ...WITH_ENDPOINTS,
  };
  if (!isUnderPolicy(caller)) {
    const rows = await db.model.findMany({ ...all, skip: offset, take: limit });
    return { rows, total: await db.model.count({ where: all.where }) };
  }
  const left = await allowed(context, await db.model.findMany({ ...all, take: MAX_JUDGED }));
  return { rows: left.slice(offset, offset + limit), total: left.length };
}

/** Returns a model as the caller's list shows it; null if the list lacks it. */
export async function visibleModel(context: Context, slug: string): Promise<ModelRow | null> {
  const { caller, db } = context;
  const organizationId_slug = { organizationId: caller.organizationId, slug };
  const row = await db.model.findUnique({ where: { organizationId_slug }, ...WITH_ENDPOINTS });
  if (!row || !isUnderPolicy(caller)) return row;
  return (await allowed(context, [row]))[0] ?? null;
}

/** Returns the models with an endpoint that the caller's guardrails allow, with only those endpoints. */
async function allowed(
  { caller, db, now, settings: { zdrVendors } }: Context,
  models: readonly ModelRow[],
): Promise<ModelRow[]> {
  const subject = {
    workspaceId: caller.workspaceId,
    userId: caller.userId,
    keyId: caller.kind === "key" ? caller.keyId : null,
  };
  const { enforced: layers } = layersByMode(await loadLayers(db, subject, zdrVendors, now));
  return models
    .map((model) => ({
      ...model,
      endpoints: model.endpoints.filter(
        (endpoint) => refusalsOf(layers, toPlanEndpoint(model, endpoint), zdrVendors).length === 0,
      ),
    }))
    .filter(({ endpoints }) => endpoints.length > 0);
}

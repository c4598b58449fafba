import "server-only";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { fieldConflict, invalid, notFound } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import { uuidv7 } from "../../platform/ids";
import type * as contract from "./contract";
import { resolveEndpoints } from "./endpoints";
import {
  priceSourceOf,
  settingsOf,
  toColumns,
  toEndpointColumns,
  toModel,
  WITH_ENDPOINTS,
  type ModelRow,
} from "./rows";
import { statedVendor, vendorOf, type VendorFact } from "./vendor";
import { visibleModels } from "./visible-store";

/** Returns the organization's model; 404 when missing or foreign. */
async function findModel(db: Database, { caller }: Context, slug: string): Promise<ModelRow> {
  const organizationId_slug = { organizationId: caller.organizationId, slug };
  const row = await db.model.findUnique({ where: { organizationId_slug }, ...WITH_ENDPOINTS });
  if (!row) throw notFound();
  return row;
}

async function lockModel(db: Database, context: Context, slug: string): Promise<ModelRow> {
  await db.$queryRaw`SELECT 1 AS locked FROM models WHERE organization_id = ${context.caller.organizationId}::uuid AND slug = ${slug} FOR UPDATE`;
  return findModel(db, context, slug);
}

/**
 * Resolves the endpoints of a body with the organization's providers, and the vendor implied by their names; 400 for
 * unknown providers.
 */
async function endpointsOf(
  db: Database,
  { caller, settings }: Context,
  slug: string,
  given: readonly contract.EndpointFields[],
) {
  const named = { in: given.map(({ provider }) => provider) };
  const providers = await db.provider.findMany({
    where: { organizationId: caller.organizationId, slug: named },
    select: { id: true, slug: true, baseUrl: true },
  });
  const known = new Map(providers.map(({ id, slug: name, baseUrl }) => [name, { id, isBuiltIn: baseUrl === null }]));
  const { endpoints, issues } = resolveEndpoints(slug, given, known);
  if (issues.length > 0) throw invalid(issues);
  const slugs = new Map(providers.map(({ id, slug: name }) => [id, name]));
  const names = endpoints.map(({ providerId, upstreamModel }) => ({
    provider: slugs.get(providerId) ?? "",
    upstreamModel,
  }));
  return {
    endpoints: endpoints.map(toEndpointColumns),
    derived: vendorOf({ slug, endpoints: names }, settings.zdrVendors),
  };
}

/** Replaces a model's endpoints. Remaining ones keep their id and thus their measurements. */
async function replaceEndpoints(
  db: Database,
  { now }: Context,
  before: ModelRow,
  endpoints: Awaited<ReturnType<typeof endpointsOf>>["endpoints"],
): Promise<void> {
  const identityOf = ({ providerId, upstreamModel }: { providerId: string; upstreamModel: string }) =>
    `${providerId} ${upstreamModel}`;
  const existing = new Map(before.endpoints.map((row) => [identityOf(row), row]));
  const kept = endpoints.map((endpoint) => existing.get(identityOf(endpoint))?.id).filter((id) => id !== undefined);
  await db.endpoint.deleteMany({ where: { modelId: before.id, id: { notIn: kept } } });
  for (const endpoint of endpoints) {
    const row = existing.get(identityOf(endpoint));
    if (!row) await db.endpoint.create({ data: { id: uuidv7(now), modelId: before.id, createdAt: now, ...endpoint } });
    else
      await db.endpoint.update({
        where: { id: row.id },
        data: { ...endpoint, priceSource: priceSourceOf(row, endpoint) },
      });
  }
}

export async function list(
  context: Context,
  { query }: Input<typeof contract.listModels>,
  path = "/v1/models",
): Promise<Result<typeof contract.listModels>> {
  const { offset, limit, ...filters } = query;
  const { rows, total } = await visibleModels(context, query);
  const hasMore = offset + rows.length < total && rows.length > 0;
  return {
    object: "list",
    data: rows.map(toModel),
    total_count: total,
    links: {
      next: hasMore
        ? `${path}?${new URLSearchParams({ ...filters, offset: String(offset + limit), limit: String(limit) })}`
        : null,
    },
  };
}

export async function create(
  context: Context,
  { body }: Input<typeof contract.createModel>,
): Promise<Result<typeof contract.createModel>> {
  const { caller, now } = context;
  const { organizationId } = caller;
  const { slug } = body;
  return inTransaction(context.db, async (db) => {
    if (await db.model.findUnique({ where: { organizationId_slug: { organizationId, slug } }, select: { id: true } })) {
      throw fieldConflict("slug", `A model with the slug ${slug} already exists`);
    }
    const { endpoints, derived } = await endpointsOf(db, context, slug, body.endpoints);
    const { vendor, source } = body.vendor === undefined ? derived : statedVendor(body.vendor, derived);
    const columns = {
      ...toColumns(body),
      vendor,
      vendorSource: source,
      canonicalSlug: body.canonical_slug ?? slug,
      name: body.name ?? slug,
    };
    const id = uuidv7(now);
    await db.model.create({ data: { ...columns, id, organizationId, slug, createdAt: now } });
    await db.endpoint.createMany({
      data: endpoints.map((endpoint) => ({ id: uuidv7(now), modelId: id, createdAt: now, ...endpoint })),
    });
    const model = toModel(await findModel(db, context, slug));
    await recordChange(db, context, { action: "model.create", target: target(id, model), after: settingsOf(model) });
    return { data: model };
  });
}

export async function update(
  context: Context,
  { params, body }: Input<typeof contract.updateModel>,
): Promise<Result<typeof contract.updateModel>> {
  return inTransaction(context.db, async (db) => {
    const before = await lockModel(db, context, params.slug);
    const given = body.endpoints && (await endpointsOf(db, context, before.slug, body.endpoints));
    if (given) await replaceEndpoints(db, context, before, given.endpoints);
    const { vendor, source } = changedVendor(before, body.vendor, given?.derived);
    await db.model.update({
      where: { id: before.id },
      data: { ...toColumns(body), vendor, vendorSource: source, updatedAt: context.now },
    });
    const model = toModel(await findModel(db, context, params.slug));
    await recordChange(db, context, {
      action: "model.update",
      target: target(before.id, model),
      before: settingsOf(toModel(before)),
      after: settingsOf(model),
    });
    return { data: model };
  });
}

/**
 * Returns the vendor after a change: the stated one, else the one implied by new endpoints unless an admin stated it,
 * else the previous one.
 */
function changedVendor(before: ModelRow, stated: string | undefined, derived: VendorFact | undefined): VendorFact {
  const current: VendorFact = { vendor: before.vendor, source: before.vendorSource ?? "unknown" };
  const implied = current.source !== "admin" && derived?.source === "catalogue" ? derived : current;
  return stated === undefined || stated === before.vendor ? implied : statedVendor(stated, derived ?? ownNames(before));
}

const ownNames = ({ slug, endpoints }: ModelRow): VendorFact =>
  vendorOf({
    slug,
    endpoints: endpoints.map(({ provider, upstreamModel }) => ({ provider: provider.slug, upstreamModel })),
  });

export async function remove(
  context: Context,
  { params }: Input<typeof contract.deleteModel>,
): Promise<Result<typeof contract.deleteModel>> {
  return inTransaction(context.db, async (db) => {
    const before = await lockModel(db, context, params.slug);
    await db.model.delete({ where: { id: before.id } });
    const model = toModel(before);
    await recordChange(db, context, {
      action: "model.delete",
      target: target(before.id, model),
      before: settingsOf(model),
    });
    return { deleted: true as const };
  });
}

const target = (id: string, { name }: contract.Model) => ({ type: "model", id, name });

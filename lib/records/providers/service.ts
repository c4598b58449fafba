import "server-only";
import type { Provider as ProviderRow } from "../../../prisma/generated/client";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { json } from "../../platform/database/json";
import { literal } from "../../platform/database/literal";
import { inTransaction, type Database } from "../../platform/database/transaction";
import type { Env } from "../../platform/env";
import { conflict, fieldConflict, invalid, notFound } from "../../platform/api-error";
import { inspected, type Inspect } from "../../platform/http/inspected";
import type { Input, Result } from "../../platform/http/operation";
import { skipTake, sortOrder } from "../../platform/http/pagination";
import { uuidv7 } from "../../platform/ids";
import type * as contract from "./contract";
import { sealCredentials } from "./credential-rows";
import { changedKindIssues, kindIssues } from "./kind-rules";
import { builtInRefusals, changesConnection, movedSecrets, providerIssues } from "./rules";
import { toColumns, toSettings } from "./rows";
import { PROTOCOLS_OF } from "./vocabulary";

const inspect: Inspect = (body, { allowPrivateUpstreams }) => providerIssues(body, allowPrivateUpstreams);
export const inspectNew: Inspect = (body, settings) => [...inspect(body, settings), ...kindIssues(body)];

/** Returns the organization's provider; 404 when missing or foreign. */
export async function findProvider(db: Database, { caller }: Context, slug: string): Promise<ProviderRow> {
  const row = await db.provider.findUnique({
    where: { organizationId_slug: { organizationId: caller.organizationId, slug } },
  });
  if (!row) throw notFound();
  return row;
}

/** Returns the provider locked until the end of the transaction. */
export async function lockProvider(db: Database, context: Context, slug: string): Promise<ProviderRow> {
  await db.$queryRaw`SELECT 1 AS locked FROM providers WHERE organization_id = ${context.caller.organizationId}::uuid AND slug = ${slug} FOR UPDATE`;
  return findProvider(db, context, slug);
}

/** Encrypts secrets for their row's columns. */
function secretColumns(
  settings: Env,
  provider: Pick<ProviderRow, "organizationId" | "id">,
  body: contract.UpdateProviderBody,
) {
  const { apiKeyCiphertext, credentials, headers } = sealCredentials(settings, provider, body);
  return { apiKeyCiphertext, credentials: json(credentials), headers: json(headers) };
}

async function toProvider(db: Database, row: ProviderRow): Promise<contract.Provider> {
  const [provider] = await toProviders(db, [row]);
  if (!provider) throw notFound();
  return provider;
}

/** Converts rows to API objects, with the number of models of each provider. */
async function toProviders(db: Database, rows: readonly ProviderRow[]): Promise<contract.Provider[]> {
  const counts = await db.$queryRaw<{ id: string; models: number }[]>`
    SELECT provider_id AS id, count(DISTINCT model_id)::int AS models FROM endpoints
    WHERE provider_id = ANY(${rows.map(({ id }) => id)}::uuid[]) GROUP BY provider_id`;
  const countOf = new Map(counts.map(({ id, models }) => [id, models]));
  return rows.map((row) => ({
    ...toSettings(row),
    models_count: countOf.get(row.id) ?? 0,
    last_test: row.lastTest as contract.Provider["last_test"],
  }));
}

export async function list(
  context: Context,
  { query: { q, sort = "-created_at", ...place } }: Input<typeof contract.listProviders>,
): Promise<Result<typeof contract.listProviders>> {
  const contains = { contains: literal(q ?? ""), mode: "insensitive" } as const;
  const where = q ? { OR: [{ name: contains }, { slug: contains }, { baseUrl: contains }] } : {};
  const { field, direction } = sortOrder(sort);
  const orderBy = [{ [field === "created_at" ? "createdAt" : field]: direction }, { id: direction }];
  const { providers, _count } = await context.db.organization.findUniqueOrThrow({
    where: { id: context.caller.organizationId },
    select: { providers: { where, orderBy, ...skipTake(place) }, _count: { select: { providers: { where } } } },
  });
  return { data: await toProviders(context.db, providers), total_count: _count.providers };
}

export async function get(
  context: Context,
  { params }: Input<typeof contract.getProvider>,
): Promise<Result<typeof contract.getProvider>> {
  return { data: await toProvider(context.db, await findProvider(context.db, context, params.slug)) };
}

export const create = inspected(
  inspectNew,
  async (
    context: Context,
    { body }: Input<typeof contract.createProvider>,
  ): Promise<Result<typeof contract.createProvider>> => {
    const { caller, now, settings } = context;
    return inTransaction(context.db, async (db) => {
      const identity = { id: uuidv7(now), organizationId: caller.organizationId };
      const organizationId_slug = { organizationId: caller.organizationId, slug: body.slug };
      if (await db.provider.findUnique({ where: { organizationId_slug }, select: { id: true } })) {
        throw fieldConflict("slug", `A provider with the slug ${body.slug} already exists`);
      }
      const row = await db.provider.create({
        data: {
          ...toColumns(body),
          protocol: body.protocol ?? PROTOCOLS_OF[body.kind ?? "openai"][0],
          ...secretColumns(settings, identity, body),
          ...identity,
          slug: body.slug,
          name: body.name,
          createdAt: now,
        },
      });
      await recordChange(db, context, { action: "provider.create", target: target(row), after: toSettings(row) });
      return { data: { ...toSettings(row), models_count: 0, last_test: null } };
    });
  },
);

export const update = inspected(
  inspect,
  async (
    context: Context,
    { params, body }: Input<typeof contract.updateProvider>,
  ): Promise<Result<typeof contract.updateProvider>> => {
    return inTransaction(context.db, async (db) => {
      const before = await lockProvider(db, context, params.slug);
      const refused = before.baseUrl === null ? builtInRefusals(body) : [];
      if (refused.length > 0)
        throw conflict(`The provider ${before.slug} is built in: ${refused.join(", ")} can't be changed`);
      const issues = [...movedSecrets(toSettings(before), body), ...changedKindIssues(toSettings(before), body)];
      if (issues.length > 0) throw invalid(issues);
      const row = await db.provider.update({
        where: { id: before.id },
        data: {
          ...toColumns(body),
          ...secretColumns(context.settings, before, body),
          ...(changesConnection(body) && { lastTest: json(null) }),
          updatedAt: context.now,
        },
      });
      await recordChange(db, context, {
        action: "provider.update",
        target: target(row),
        before: toSettings(before),
        after: {
          ...toSettings(row),
          ...(body.api_key && { api_key_changed: true }),
          ...(body.credentials && { credentials_changed: true }),
          ...(body.headers && { headers_changed: true }),
        },
      });
      return { data: await toProvider(db, row) };
    });
  },
);

/** Deletes the provider and its endpoints; models and history keep their names. */
export async function remove(
  context: Context,
  { params }: Input<typeof contract.deleteProvider>,
): Promise<Result<typeof contract.deleteProvider>> {
  return inTransaction(context.db, async (db) => {
    const before = await lockProvider(db, context, params.slug);
    if (before.baseUrl === null) throw conflict(`The provider ${before.slug} is built in and can't be deleted`);
    const endpoints = await db.endpoint.count({ where: { providerId: before.id } });
    await db.provider.delete({ where: { id: before.id } });
    await recordChange(db, context, {
      action: "provider.delete",
      target: target(before),
      before: { ...toSettings(before), endpoints },
    });
    return { deleted: true as const };
  });
}

const target = ({ id, name }: ProviderRow) => ({ type: "provider", id, name });

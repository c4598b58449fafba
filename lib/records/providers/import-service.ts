import "server-only";
import type { Provider as ProviderRow } from "../../../prisma/generated/client";
import { recordChange } from "../../platform/audit/store";
import { catalogueModel, catalogueModels, makerOfApi, vendorOf as catalogueVendorOf } from "../catalogue/policy";
import { isRetired, lifecycleOf } from "../catalogue/lifecycle";
import type { Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { ApiError, conflict, invalid } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import { uuidv7 } from "../../platform/ids";
import { toPriceColumns } from "../models/rows";
import { MAX_IMPORTED_MODELS, type importModels as operation } from "./import-contract";
import { planImport, type ListedModel, type PlannedModel } from "./import-policy";
import { findProvider, lockProvider } from "./service";
import { fetchModels } from "./upstream-models-client";

/**
 * Adds missing models and endpoints. The upstream is called before the transaction, which would block the embedded
 * database's only connection. No Idempotency-Key is needed because repeating an import changes nothing.
 */
export async function importModels(
  context: Context,
  { params, body }: Input<typeof operation>,
): Promise<Result<typeof operation>> {
  const provider = await findProvider(context.db, context, params.slug);
  const { baseUrl } = provider;
  if (baseUrl === null) throw conflict(`The provider ${provider.slug} is built in: its models can't be imported`);
  const vendor = body.catalogue_provider ?? catalogueVendorOf(baseUrl);
  const listed =
    body.source === "catalogue"
      ? fromCatalogue(vendor, context.now)
      : await fromUpstream(context, { ...provider, baseUrl });
  const { planned, skipped } = planImport(listed, {
    providerSlug: provider.slug,
    models: body.models ?? null,
    prefix: body.prefix ?? null,
    ownVendor: makerOfApi(baseUrl),
    isRetired: (id) => isRetired(lifecycleOf(catalogueVendorOf(baseUrl), id), context.now),
    zdrVendors: context.settings.zdrVendors,
    lookUp: (id) => (vendor === null ? null : catalogueModel(vendor, id, context.now)),
  });
  if (planned.length > MAX_IMPORTED_MODELS) {
    throw invalid([
      {
        path: ["models"],
        message: `must select at most ${MAX_IMPORTED_MODELS} of the ${planned.length} models`,
        code: "too_big",
      },
    ]);
  }
  const added = body.dry_run
    ? await missing(context.db, context, provider.id, planned)
    : await inTransaction(context.db, async (db) => {
        const { id, name } = await lockProvider(db, context, params.slug);
        const models = await missing(db, context, id, planned);
        await insert(db, context, id, models);
        const slugs = models.map(({ slug }) => slug);
        if (slugs.length > 0)
          await recordChange(db, context, {
            action: "provider.import_models",
            target: { type: "provider", id, name },
            after: { models: slugs },
          });
        return models;
      });
  const isAdded = new Set(added.map(({ slug }) => slug));
  const existing = planned
    .filter(({ slug }) => !isAdded.has(slug))
    .map(({ upstreamModel }) => ({ upstream_model: upstreamModel, reason: "exists" as const }));
  return {
    data: {
      dry_run: body.dry_run,
      catalogue_provider: vendor,
      imported: added.map(({ upstreamModel, contextLength, priceSource, vendor: { vendor, source }, ...rest }) => ({
        ...rest,
        price_source: priceSource,
        vendor,
        vendor_source: source,
        upstream_model: upstreamModel,
        context_length: contextLength,
      })),
      skipped: [...skipped, ...existing],
      unknown_vendor: added.filter(({ vendor: { source } }) => source === "unknown").map(({ slug }) => slug),
      unpriced: added.filter(({ price }) => price === null).map(({ slug }) => slug),
    },
  };
}

function fromCatalogue(vendor: string | null, now: Date): ListedModel[] {
  const models = vendor === null ? [] : catalogueModels(vendor, now);
  if (models.length > 0) return models;
  throw invalid([
    {
      path: ["catalogue_provider"],
      message: "is required: no catalogue vendor has this base URL",
      code: "unknown_provider",
    },
  ]);
}

async function fromUpstream(context: Context, provider: ProviderRow & { baseUrl: string }): Promise<ListedModel[]> {
  const list = await fetchModels(context, provider);
  if ("problem" in list)
    throw new ApiError(502, "Provider returned error", {
      provider_name: provider.name,
      status: list.status,
      raw: list.problem,
    });
  return list.models;
}

/** Returns planned models without an endpoint of this provider. */
async function missing(
  db: Database,
  { caller }: Context,
  providerId: string,
  planned: readonly PlannedModel[],
): Promise<PlannedModel[]> {
  const slug = { in: planned.map((model) => model.slug) };
  const served = await db.model.findMany({
    where: { organizationId: caller.organizationId, slug, endpoints: { some: { providerId } } },
    select: { slug: true },
  });
  const isServed = new Set(served.map((model) => model.slug));
  return planned.filter((model) => !isServed.has(model.slug));
}

/** Inserts models, or an endpoint where the model exists with another provider. */
async function insert(
  db: Database,
  { caller, now }: Context,
  providerId: string,
  models: readonly PlannedModel[],
): Promise<void> {
  const { organizationId } = caller;
  await db.model.createMany({
    data: models.map(({ slug, name, vendor: { vendor, source }, contextLength }) => ({
      id: uuidv7(now),
      organizationId,
      slug,
      canonicalSlug: slug,
      name,
      vendor,
      vendorSource: source,
      contextLength,
      createdAt: now,
    })),
    skipDuplicates: true,
  });
  const rows = await db.model.findMany({
    where: { organizationId, slug: { in: models.map(({ slug }) => slug) } },
    select: { id: true, slug: true },
  });
  const idOf = new Map(rows.map(({ id, slug }) => [slug, id]));
  await db.endpoint.createMany({
    data: models.flatMap(({ slug, upstreamModel, price, priceSource }) => {
      const modelId = idOf.get(slug);
      const prices = toPriceColumns(price, priceSource);
      return modelId === undefined
        ? []
        : [{ id: uuidv7(now), modelId, providerId, upstreamModel, createdAt: now, ...prices }];
    }),
    skipDuplicates: true,
  });
}

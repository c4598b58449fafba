import "server-only";
import type { Provider as ProviderRow } from "../../../prisma/generated/client";
import { recordChange } from "../../platform/audit/store";
import { catalogueModel, catalogueModels, makerOfApi, vendorOf as catalogueVendorOf } from "../catalogue/catalogue";
import { isRetired, lifecycleOf } from "../catalogue/lifecycle";
import type { Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { ApiError, conflict, invalid } from "../../platform/api-error";
import type { Input, Result } from "../../platform/http/operation";
import { uuidv7 } from "../../platform/ids";
import { toPriceColumns } from "../models/rows";
import { MAX_IMPORTED_MODELS, type importModels as operation } from "./import-contract";
import { placeModels, type PlacedModel, type StoredModel } from "./import-placement";
import { planImport, type ListedModel, type Skipped } from "./import-plan";
import { findProvider, lockProvider } from "./service";
import { fetchModels } from "./upstream-models-client";
import { lockOrganization } from "../organization/lock-store";

/**
 * Adds missing models and endpoints. The upstream is called before the transaction, which would otherwise hold its
 * locks meanwhile. No Idempotency-Key is needed because repeating an import changes nothing.
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
    isBedrock: catalogueVendorOf(baseUrl) === "bedrock",
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
  const isNamed = body.prefix !== undefined;
  const { added, existing } = body.dry_run
    ? placeModels(planned, await storedModels(context.db, context), { providerId: provider.id, isNamed })
    : await inTransaction(context.db, async (db) => {
        // One import at a time, so that each sees and joins the models of the others.
        await lockOrganization(db, context.caller.organizationId);
        const { id, name } = await lockProvider(db, context, params.slug);
        const placed = placeModels(planned, await storedModels(db, context), { providerId: id, isNamed });
        await insert(db, context, id, placed.added);
        const slugs = placed.added.map(({ slug }) => slug);
        if (slugs.length > 0)
          await recordChange(db, context, {
            action: "provider.import_models",
            target: { type: "provider", id, name },
            after: { models: slugs },
          });
        return placed;
      });
  return { data: reportOf(body.dry_run, vendor, added, [...skipped, ...existing]) };
}

const reportOf = (
  isDryRun: boolean,
  catalogueProvider: string | null,
  added: readonly PlacedModel[],
  skipped: Skipped[],
): Result<typeof operation>["data"] => ({
  dry_run: isDryRun,
  catalogue_provider: catalogueProvider,
  imported: added.map((model) => ({
    action: model.action,
    slug: model.slug,
    canonical_slug: model.canonicalSlug,
    upstream_model: model.upstreamModel,
    name: model.name,
    vendor: model.vendor.vendor,
    vendor_source: model.vendor.source,
    context_length: model.contextLength,
    price: model.price,
    price_source: model.priceSource,
    data_region: model.dataRegion,
  })),
  skipped,
  unknown_vendor: added.filter(({ vendor: { source } }) => source === "unknown").map(({ slug }) => slug),
  unpriced: added.filter(({ price }) => price === null).map(({ slug }) => slug),
});

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

/** Returns the organization's models, oldest first. */
const storedModels = (db: Database, { caller: { organizationId } }: Context): Promise<StoredModel[]> =>
  db.model.findMany({
    where: { organizationId },
    select: {
      slug: true,
      canonicalSlug: true,
      vendor: true,
      endpoints: { select: { providerId: true, upstreamModel: true } },
    },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });

/** Inserts models, and endpoints of existing models. */
async function insert(
  db: Database,
  { caller, now }: Context,
  providerId: string,
  models: readonly PlacedModel[],
): Promise<void> {
  const { organizationId } = caller;
  await db.model.createMany({
    data: models
      .filter(({ action }) => action === "create")
      .map(({ slug, canonicalSlug, name, vendor: { vendor, source }, contextLength }) => ({
        id: uuidv7(now),
        organizationId,
        slug,
        canonicalSlug,
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
    select: { id: true, slug: true, canonicalSlug: true },
  });
  const bySlug = new Map(rows.map((row) => [row.slug, row]));
  for (const { slug, canonicalSlug } of models) {
    const row = bySlug.get(slug);
    if (row && row.canonicalSlug !== canonicalSlug)
      await db.model.update({ where: { id: row.id }, data: { canonicalSlug, updatedAt: now } });
  }
  await db.endpoint.createMany({
    data: models.flatMap(({ slug, upstreamModel, price, priceSource, dataRegion }) => {
      const modelId = bySlug.get(slug)?.id;
      const prices = toPriceColumns(price, priceSource);
      return modelId === undefined
        ? []
        : [{ id: uuidv7(now), modelId, providerId, upstreamModel, dataRegion, createdAt: now, ...prices }];
    }),
    skipDuplicates: true,
  });
}

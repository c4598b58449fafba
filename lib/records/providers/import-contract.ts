import { z } from "zod";
import { envelope, operation } from "../../platform/http/operation";
import { ModelSlug, ShownPrices } from "../models/contract";
import { DATA_REGIONS } from "../../engine/vocabulary";
import { FACT_SOURCES } from "../models/vocabulary";
import { ProviderSlug } from "./contract";

export const MAX_IMPORTED_MODELS = 2000;

const SKIP_REASONS = ["exists", "not_listed", "not_chat", "retired", "no_slug"] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

const upstreamId = z.string().min(1).max(200);

const ImportModelsBody = z.strictObject({
  source: z
    .enum(["upstream", "catalogue"])
    .default("upstream")
    .meta({ description: "Source of the model list: the upstream, or the catalogue for upstreams without a list" }),
  models: z.array(upstreamId).min(1).max(MAX_IMPORTED_MODELS).optional().meta({
    description: "Upstream names of the models to import; defaults to all chat models that the vendor still serves",
  }),
  prefix: ModelSlug.max(100).optional().meta({
    description:
      "Prefix for every slug, followed by a slash; defaults to the provider's slug for names without a slash. Models with a prefix join only models of the same slug",
  }),
  catalogue_provider: ProviderSlug.optional().meta({
    description: "Vendor whose prices apply; defaults to the vendor of the base URL",
  }),
  dry_run: z
    .boolean()
    .default(false)
    .meta({ description: "Set to true to preview the import without changing anything" }),
});

const ImportedModel = z.object({
  action: z.enum(["create", "join"]).meta({
    description: "create: a new model; join: a further endpoint of the model with this slug, which is the same model",
  }),
  slug: z.string(),
  canonical_slug: z.string().meta({ description: "Another name of the model, by which requests may use it" }),
  upstream_model: z.string(),
  name: z.string(),
  vendor: z.string().meta({ description: "Who made the model; unknown if nobody says" }),
  vendor_source: z.enum(FACT_SOURCES),
  context_length: z.number().int().nullable(),
  price: ShownPrices.nullable().meta({ description: "null when unknown, which isn't free" }),
  price_source: z.enum(FACT_SOURCES),
  data_region: z.enum(DATA_REGIONS).meta({
    description: "Where requests are processed, as Bedrock's inference profiles say: us. and eu.; otherwise global",
  }),
});

const SkippedModel = z.object({
  upstream_model: z.string(),
  reason: z.enum(SKIP_REASONS),
  slug: z.string().optional().meta({ description: "The model that exists" }),
  duplicate_of: z.string().optional().meta({
    description:
      "Slug of another model that is the same. To use both as one, make it the canonical_slug of the model that exists",
  }),
});

const ImportReport = z
  .object({
    dry_run: z.boolean(),
    catalogue_provider: z.string().nullable(),
    imported: z.array(ImportedModel),
    skipped: z.array(SkippedModel),
    unknown_vendor: z.array(z.string()).meta({
      description: "Slugs of imported models whose vendor is unknown; zero data retention counts them to other vendors",
    }),
    unpriced: z.array(z.string()).meta({
      description:
        "Slugs of imported models with an unknown price: until it is set, spending limits reject them unless the workspace allows unpriced models",
    }),
  })
  .meta({ id: "ImportReport" });

export const importModels = operation({
  tag: "Providers",
  access: "management",
  id: "importModels",
  permission: "providers:write",
  method: "POST",
  path: "/providers/{slug}/models/import",
  summary:
    "Import a provider's models with catalogue prices: new models, and endpoints of models that exist with other providers",
  params: z.object({ slug: ProviderSlug }),
  body: ImportModelsBody,
  bodySize: "medium",
  bodyOptional: true,
  status: 200,
  result: envelope(ImportReport),
  errors: [409, 502],
  example: { body: { models: ["gpt-5", "gpt-5-mini"], dry_run: true } },
});

import { z } from "zod";
import { envelope, operation } from "../../platform/http/operation";
import { ModelSlug } from "../models/contract";
import { ProviderSlug } from "./contract";

export const MAX_IMPORTED_MODELS = 2000;

const SKIP_REASONS = ["exists", "not_listed", "not_chat", "no_slug"] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

const upstreamId = z.string().min(1).max(200);

const ImportModelsBody = z.strictObject({
  source: z
    .enum(["upstream", "catalogue"])
    .default("upstream")
    .meta({ description: "Whose list of models: the upstream's own, or the catalogue's for upstreams that have none" }),
  models: z
    .array(upstreamId)
    .min(1)
    .max(MAX_IMPORTED_MODELS)
    .optional()
    .meta({ description: "The upstream's names of the models to take; all that chat when omitted" }),
  prefix: ModelSlug.max(100).optional().meta({
    description: "Put before every slug with a slash; when omitted the provider's slug before names that have no slash",
  }),
  catalogue_provider: ProviderSlug.optional().meta({
    description: "Whose prices apply; when omitted the vendor's whose API the base URL is",
  }),
  dry_run: z.boolean().default(false).meta({ description: "Say what would be imported, change nothing" }),
});

const ImportedModel = z.object({
  slug: z.string(),
  upstream_model: z.string(),
  name: z.string(),
  context_length: z.number().int().nullable(),
  price: z
    .object({ prompt: z.string(), completion: z.string(), request: z.string() })
    .nullable()
    .meta({ description: "null: unknown, imported as 0" }),
});

const ImportReport = z
  .object({
    dry_run: z.boolean(),
    catalogue_provider: z.string().nullable(),
    imported: z.array(ImportedModel),
    skipped: z.array(z.object({ upstream_model: z.string(), reason: z.enum(SKIP_REASONS) })),
    unpriced: z.array(z.string()).meta({
      description: "Slugs of imported models whose price is unknown: they count as free until they are given one",
    }),
  })
  .meta({ id: "ImportReport" });

export const importModels = operation({
  tag: "Providers",
  access: "management",
  id: "importModels",
  method: "POST",
  path: "/providers/{slug}/models/import",
  summary:
    "Add the provider's models that don't exist yet, with prices of the catalogue; repeating it adds only what is new",
  params: z.object({ slug: ProviderSlug }),
  body: ImportModelsBody,
  status: 200,
  result: envelope(ImportReport),
  errors: [409, 502],
  example: { body: { models: ["gpt-5", "gpt-5-mini"], dry_run: true } },
});

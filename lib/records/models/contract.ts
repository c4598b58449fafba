import { z } from "zod";
import { Deleted, envelope, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { integerParam, listQuery } from "../../platform/http/pagination";
import { DATA_REGIONS, QUANTIZATIONS } from "../../engine/vocabulary";
import { Price, PriceDetails } from "../../engine/price-contract";
import { FACT_SOURCES } from "./vocabulary";
import { newName } from "../../platform/name-contract";

export const MAX_MODELS_PER_PAGE = 1000;

/** `vendor/model`, or a single name. Can't contain `@`, which marks preset references. */
export const ModelSlug = z
  .string()
  .max(200)
  .regex(
    /^[A-Za-z0-9~][A-Za-z0-9._:~+-]*(?:\/[A-Za-z0-9._:~+-]+)*$/,
    "must consist of letters, digits and . _ : ~ + -, in parts separated by slashes",
  );

const Vendor = z
  .string()
  .max(100)
  .regex(/^[a-z0-9~][a-z0-9._:~+-]*$/, "must consist of lowercase letters, digits and . _ : ~ + -");

export const Prices = z
  .strictObject({ prompt: Price, completion: Price, request: Price.optional(), ...PriceDetails.shape })
  .meta({ description: "USD per million tokens; request and web_search in USD for each" });

/** Prices as the API returns them; optional ones only if they are set. */
export const ShownPrices = z.object({
  prompt: z.string(),
  completion: z.string(),
  request: z.string(),
  ...PriceDetails.shape,
});

export const EndpointFields = z.strictObject({
  provider: z.string().min(1).max(64).meta({ description: "The provider's slug" }),
  upstream_model: z.string().trim().min(1).max(200).optional().meta({
    description: "The upstream's name of the model; defaults to the slug without the provider's slug prefix",
  }),
  price: Prices.nullish().meta({
    description: "null or missing when unknown, which isn't free: spending limits reject the model",
  }),
  price_source: z.enum(FACT_SOURCES).optional().meta({
    description: "Ignored, so that an endpoint can be sent back as it was read: a changed price is the admin's",
  }),
  zdr: z.boolean().nullish().meta({ description: "Defaults to the provider's setting" }),
  quantization: z.enum(QUANTIZATIONS).nullish(),
  supported_parameters: z
    .array(z.string().min(1).max(64))
    .max(100)
    .nullish()
    .meta({ description: "Request parameters the upstream supports; null when unknown" }),
  data_region: z.enum(DATA_REGIONS).optional().meta({
    description:
      "Where requests are processed; global: anywhere, or unknown. Defaults to global, in updates to the endpoint's region",
  }),
});
export type EndpointFields = z.output<typeof EndpointFields>;

/** The fields that an admin sets: docs/semantics.md#providers-and-models. */
const ModelFields = z.object({
  canonical_slug: ModelSlug,
  name: newName(200),
  vendor: Vendor.meta({
    description: "Who made the model, whichever provider serves it; defaults to the maker that the names imply",
  }),
  context_length: z.number().int().min(1).max(1_000_000_000).nullable(),
  max_output_tokens: z.number().int().min(1).max(1_000_000_000).nullable().meta({
    description: "Reserved by requests without an output limit; defaults to the known maximum of the upstream model",
  }),
  distillable: z
    .boolean()
    .nullable()
    .meta({ description: "Whether its output may be used to train other models; null when unknown" }),
  endpoints: z.array(EndpointFields).min(1).max(100).meta({ description: "Providers of this model" }),
});

export const UpdateModelBody = z.strictObject(ModelFields.partial().shape);
export type UpdateModelBody = z.output<typeof UpdateModelBody>;

export const CreateModelBody = UpdateModelBody.required({ endpoints: true }).extend({ slug: ModelSlug });
export type CreateModelBody = z.output<typeof CreateModelBody>;

const Endpoint = z.object({
  provider: z.string(),
  upstream_model: z.string(),
  price: ShownPrices.nullable().meta({ description: "null when unknown, which isn't free" }),
  price_source: z.enum(FACT_SOURCES),
  zdr: z.boolean().nullable(),
  quantization: z.string().nullable(),
  supported_parameters: z.array(z.string()).nullable(),
  data_region: z.enum(DATA_REGIONS),
});

/** Signalbox's fields, plus the fields that clients of public model lists expect. */
export const Model = z
  .object({
    id: z.string().meta({ description: "The slug" }),
    object: z.literal("model"),
    created: z.number().int(),
    owned_by: z.string().meta({ description: "The vendor" }),
    slug: z.string(),
    audit_id: Uuid.meta({ description: "`target_id` of its events in the audit log" }),
    canonical_slug: z.string(),
    name: z.string(),
    vendor: z.string().meta({ description: "Who made the model; unknown if nobody says" }),
    vendor_source: z.enum(FACT_SOURCES),
    deprecated_at: Timestamp.nullable(),
    retires_at: Timestamp.nullable().meta({ description: "When the vendor stops serving it at all its endpoints" }),
    replacement: z.string().nullable().meta({ description: "The model that the vendor recommends instead" }),
    lifecycle_source: z.enum(FACT_SOURCES),
    context_length: z.number().int().nullable(),
    max_output_tokens: z.number().int().nullable(),
    distillable: z.boolean().nullable(),
    pricing: z.object({ prompt: z.string(), completion: z.string(), request: z.string() }).meta({
      description:
        "Prices of the cheapest endpoint in USD per token and per request, -1 when unknown; endpoints have prices per million tokens",
    }),
    endpoints: z.array(Endpoint),
    supported_parameters: z.array(z.string()).meta({ description: "Parameters supported by any endpoint" }),
    architecture: z.object({
      modality: z.null(),
      input_modalities: z.array(z.string()),
      output_modalities: z.array(z.string()),
    }),
    top_provider: z.object({
      context_length: z.number().int().nullable(),
      is_moderated: z.literal(false),
      max_completion_tokens: z.number().int().nullable(),
    }),
    per_request_limits: z.null(),
    default_parameters: z.null(),
    supported_voices: z.null(),
    links: z.object({ details: z.string() }),
    created_at: Timestamp,
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: "Model" });
export type Model = z.output<typeof Model>;

const SlugParams = z.object({ slug: ModelSlug });
/**
 * Describes operations with an alternative in lib/records/models/anthropic-contract.ts, because the reference has one
 * operation per method and path.
 */
export const ANTHROPIC_NOTE = "Requests with an `anthropic-version` header get the shape of Anthropic's API.";

const management = { tag: "Models", access: "management" } as const;

export const listModels = operation({
  tag: "Models",
  access: "any",
  id: "listModels",
  method: "GET",
  path: "/models",
  summary: "List models, by default by slug; callers without `providers:read` see only what their guardrails allow",
  note: ANTHROPIC_NOTE,
  query: listQuery(["slug", "name", "vendor", "created_at"], "Search text in slug and name").extend({
    provider: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: "Provider slug: only models with an endpoint of it" }),
    limit: integerParam(1, MAX_MODELS_PER_PAGE)
      .default(MAX_MODELS_PER_PAGE)
      .meta({ description: "Records per page, at most 1,000" }),
  }),
  status: 200,
  result: z.object({
    object: z.literal("list"),
    data: z.array(Model),
    total_count: z.number().int().min(0),
    links: z.object({ next: z.string().nullable() }),
  }),
});

export const createModel = operation({
  ...management,
  id: "createModel",
  permission: "providers:write",
  method: "POST",
  path: "/models",
  summary: "Add a model and its endpoints",
  body: CreateModelBody,
  bodySize: "medium",
  status: 201,
  result: envelope(Model),
  idempotent: true,
  example: {
    body: {
      slug: "acme/large",
      name: "Acme Large",
      context_length: 200_000,
      endpoints: [
        {
          provider: "sandbox",
          upstream_model: "sandbox/echo",
          price: { prompt: "2.5", completion: "10", cache_read: "0.25" },
          quantization: "fp8",
        },
      ],
    },
  },
});

/** A model for clients of public APIs, which read the first fields, and for Signalbox's console, which reads `data`. */
export const FoundModel = Model.pick({ id: true, object: true, created: true, owned_by: true }).extend({ data: Model });

export const getModel = operation({
  tag: "Models",
  access: "any",
  id: "getModel",
  method: "GET",
  path: "/models/{slug}",
  summary: "Get a model; the slug is URL-encoded. Callers without `providers:read` see what their guardrails allow",
  note: ANTHROPIC_NOTE,
  params: SlugParams,
  status: 200,
  result: FoundModel,
});

export const updateModel = operation({
  ...management,
  id: "updateModel",
  permission: "providers:write",
  method: "PATCH",
  path: "/models/{slug}",
  summary: "Update the given fields; endpoints are replaced as a whole, and null clears a field",
  params: SlugParams,
  body: UpdateModelBody,
  bodySize: "medium",
  status: 200,
  result: envelope(Model),
  errors: [409],
  example: {
    body: {
      context_length: 128_000,
      endpoints: [
        { provider: "sandbox", upstream_model: "sandbox/echo", price: { prompt: "2", completion: "8" }, zdr: true },
      ],
    },
  },
});

export const deleteModel = operation({
  ...management,
  id: "deleteModel",
  permission: "providers:write",
  method: "DELETE",
  path: "/models/{slug}",
  summary: "Delete a model and its endpoints; history keeps its name",
  params: SlugParams,
  status: 200,
  result: Deleted,
  errors: [409],
});

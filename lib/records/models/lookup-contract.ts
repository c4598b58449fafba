import { z } from "zod";
import { Deleted, envelope, operation } from "../../platform/http/operation";
import { integerParam, PageQuery } from "../../platform/http/pagination";
import { ANTHROPIC_NOTE, FoundModel, listModels, MAX_MODELS_PER_PAGE } from "./contract";

/** One part of a slug such as `acme/large`. */
const Part = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9._:~+-]+$/);

const reading = { tag: "Models", access: "any", method: "GET", status: 200 } as const;
const count = z.number().int();
const speed = z.object({ p50: z.number(), p75: z.number(), p90: z.number(), p99: z.number() }).nullable();
const uptime = z.number().nullable();

export const countModels = operation({
  ...reading,
  id: "countModels",
  path: "/models/count",
  summary: "Count models; callers without `providers:read` count those that their guardrails allow",
  result: envelope(z.object({ count })),
});

export const dismissVendorCorrections = operation({
  tag: "Models",
  access: "management",
  id: "dismissVendorCorrections",
  permission: "providers:write",
  method: "DELETE",
  path: "/models/vendor-corrections",
  summary: "Dismiss the notice about models whose vendor Signalbox has corrected, listed in /guardrails/coverage",
  status: 200,
  result: Deleted,
});

export const listUserModels = operation({
  ...reading,
  id: "listUserModels",
  path: "/models/user",
  summary: "List the models that the caller's guardrails allow; all models for a management key",
  query: PageQuery.extend({
    limit: integerParam(1, MAX_MODELS_PER_PAGE).default(500).meta({ description: "Records per page, at most 1,000" }),
  }),
  result: listModels.result,
});

export const getModelByParts = operation({
  ...reading,
  id: "getModelByParts",
  path: "/models/{slug}/{name}",
  summary: "Get a model whose slug has two parts, not URL-encoded: /models/acme/large",
  note: ANTHROPIC_NOTE,
  params: z.object({ slug: Part.meta({ description: "The first part of the slug" }), name: Part }),
  result: FoundModel,
});

export const getModelOfAuthor = operation({
  ...reading,
  id: "getModelOfAuthor",
  path: "/model/{author}/{slug}",
  summary: "Get a model, as getModelByParts",
  params: z.object({ author: Part, slug: Part }),
  result: FoundModel,
});

/** An endpoint in the form that clients of public model lists expect; unknown values are null. */
const PublicEndpoint = z.object({
  name: z.string(),
  tag: z.string().meta({ description: "The provider's slug" }),
  model_id: z.string(),
  model_name: z.string(),
  provider_name: z.string(),
  context_length: count.meta({ description: "0 when unknown" }),
  max_completion_tokens: count.nullable(),
  max_prompt_tokens: count.nullable(),
  pricing: z.record(z.string(), z.string()).meta({ description: "USD per token; request in USD per request" }),
  quantization: z.string().nullable(),
  supported_parameters: z.array(z.string()),
  supports_implicit_caching: z.boolean(),
  supports_tool_choice: z.object({
    auto: z.boolean(),
    function: z.boolean(),
    none: z.boolean(),
    required: z.boolean(),
  }),
  supports_voice_cloning: z.literal(false),
  latency_last_30m: speed,
  throughput_last_30m: speed,
  uptime_last_5m: uptime,
  uptime_last_30m: uptime,
  uptime_last_1d: uptime,
});
export type PublicEndpoint = z.output<typeof PublicEndpoint>;

export const listModelEndpoints = operation({
  ...reading,
  id: "listModelEndpoints",
  path: "/models/{slug}/{name}/endpoints",
  summary: "List the endpoints of a model; callers without `providers:read` see those that their guardrails allow",
  params: z.object({ slug: Part.meta({ description: "The first part of the slug" }), name: Part }),
  result: envelope(
    z.object({
      id: z.string(),
      name: z.string(),
      created: count,
      description: z.string(),
      architecture: z.object({
        modality: z.null(),
        input_modalities: z.array(z.string()),
        output_modalities: z.array(z.string()),
        instruct_type: z.null(),
        tokenizer: z.null(),
      }),
      endpoints: z.array(PublicEndpoint),
    }),
  ),
});

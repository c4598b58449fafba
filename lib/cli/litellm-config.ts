import { z } from "zod";

const Cost = z.coerce.number().min(0).optional();
const Text = z.string().min(1).optional();

/** The `litellm_params` that are converted. */
const Params = z.looseObject({
  model: z.string().min(1),
  api_base: Text,
  api_key: Text,
  api_version: Text,
  aws_region_name: Text,
  aws_access_key_id: Text,
  aws_secret_access_key: Text,
  aws_session_token: Text,
  vertex_project: Text,
  vertex_location: Text,
  vertex_credentials: Text,
  input_cost_per_token: Cost,
  output_cost_per_token: Cost,
});
export type Params = z.output<typeof Params>;

const Info = z.looseObject({
  base_model: Text,
  max_input_tokens: z.coerce.number().int().min(1).optional(),
  max_output_tokens: z.coerce.number().int().min(1).optional(),
  input_cost_per_token: Cost,
  output_cost_per_token: Cost,
});

const Deployment = z.looseObject({
  model_name: z.string().min(1),
  litellm_params: Params,
  model_info: Info.optional(),
});
export type Deployment = z.output<typeof Deployment>;

const Fallbacks = z.array(z.record(z.string(), z.array(z.string()))).optional();

const Guardrail = z.looseObject({
  guardrail_name: z.string().min(1),
  litellm_params: z.looseObject({
    guardrail: z.string().min(1),
    default_on: z.boolean().optional(),
    pii_entities_config: z.record(z.string(), z.string()).optional(),
  }),
});

export type LitellmGuardrail = z.output<typeof Guardrail>;

/** A configuration of LiteLLM's proxy (docs.litellm.ai/docs/proxy/configs); unknown settings are kept, so that notes can name them. */
export const LitellmConfig = z.looseObject({
  model_list: z.array(Deployment).default([]),
  guardrails: z.array(Guardrail).default([]),
  litellm_settings: z.looseObject({ fallbacks: Fallbacks }).default({}),
  router_settings: z
    .looseObject({
      fallbacks: Fallbacks,
      model_group_alias: z.record(z.string(), z.union([z.string(), z.looseObject({ model: z.string() })])).optional(),
    })
    .default({}),
});
export type LitellmConfig = z.output<typeof LitellmConfig>;

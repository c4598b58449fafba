import { z } from "zod";
import { operation, Timestamp } from "../../platform/http/operation";
import { integerParam } from "../../platform/http/pagination";
import { getModel, listModels, MAX_MODELS_PER_PAGE, ModelSlug } from "./contract";
import { getModelByParts } from "./lookup-contract";

const anthropic = { errorFormat: "messages", selectedBy: { "anthropic-version": "2023-06-01" } } as const;

const Lifecycle = z.enum(["active", "deprecated", "retired"]);

/** A model in the form of Anthropic's API. */
const AnthropicModel = z.object({
  type: z.literal("model"),
  id: z.string(),
  display_name: z.string(),
  created_at: Timestamp,
  lifecycle: Lifecycle,
  deprecated_at: Timestamp.nullable(),
  retires_at: Timestamp.nullable(),
  max_input_tokens: z.number().int().nullable(),
  max_tokens: z.number().int().nullable(),
  line: z.null(),
  capabilities: z.null(),
});
export type AnthropicModel = z.output<typeof AnthropicModel>;

/** Sent by Anthropic's clients for beta operations. */
const beta = z.string().optional();

const ListQuery = z
  .object({
    limit: integerParam(1, MAX_MODELS_PER_PAGE).default(20),
    after_id: ModelSlug.optional(),
    before_id: ModelSlug.optional(),
    /** Anthropic's clients append brackets to the names of lists. */
    "lifecycle[]": z.union([Lifecycle, z.array(Lifecycle)]).optional(),
    beta,
  })
  .refine(({ after_id, before_id }) => after_id === undefined || before_id === undefined, {
    path: ["before_id"],
    message: "can't be combined with after_id",
  });
export type ListQuery = z.output<typeof ListQuery>;

export const listAnthropicModels = operation({
  ...listModels,
  ...anthropic,
  id: "listAnthropicModels",
  summary: "List models in the shape of Anthropic's API, newest first",
  query: ListQuery,
  result: z.object({
    data: z.array(AnthropicModel),
    has_more: z.boolean(),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
  }),
});

export const getAnthropicModel = operation({
  ...getModel,
  ...anthropic,
  id: "getAnthropicModel",
  summary: "Get a model in the shape of Anthropic's API",
  query: z.object({ beta }),
  result: AnthropicModel,
});

export const getAnthropicModelByParts = operation({
  ...getAnthropicModel,
  id: "getAnthropicModelByParts",
  path: getModelByParts.path,
  params: getModelByParts.params,
});

import { z } from "zod";
import { InputItem, PromptVariable } from "./input-items-contract";
import { openValue } from "./open-value-contract";
import {
  MAX_TOOL_CALLS,
  maxTokens,
  MODALITIES,
  requestFields,
  SERVICE_TIERS,
  TextFormat,
  VERBOSITIES,
} from "./request-fields-contract";
import { RequestToolChoice, Tool } from "./tools-contract";

/** Values of `include`: what a request may ask to be included in the answer. */
export const INCLUDES = [
  "file_search_call.results",
  "message.input_image.image_url",
  "computer_call_output.output.image_url",
  "reasoning.encrypted_content",
  "code_interpreter_call.outputs",
  "message.output_text.logprobs",
  "web_search_call.results",
  "web_search_call.action.sources",
] as const;

/** Fields whose values the routing API specifies for Responses requests, and therefore for presets. */
export const specifiedFields = {
  modalities: z.array(z.enum(MODALITIES)).nullish(),
  prompt_cache_options: z.looseObject({ mode: z.literal("explicit"), ttl: z.string().nullish() }).nullish(),
  service_tier: z
    .enum(SERVICE_TIERS)
    .nullish()
    .meta(requestFields.service_tier.meta() ?? {}),
};

const STATELESS = "is not supported: the API is stateless. Send the full history in input";

/** The Responses request body: docs/semantics.md#responses-requests. Unknown fields pass (docs/protocols.md). */
export const ResponsesBody = z.looseObject({
  ...requestFields,
  ...specifiedFields,
  input: z.union([z.string(), z.array(InputItem)]).optional(),
  instructions: z.string().nullish(),
  max_output_tokens: maxTokens,
  max_tool_calls: z.number().int().min(1).max(MAX_TOOL_CALLS).nullish().meta({ default: MAX_TOOL_CALLS }),
  background: z.literal(false, { error: "must be false: requests run while the caller waits" }).nullish(),
  client_metadata: z.record(z.string(), z.unknown()).nullish(),
  conversation: z.null({ error: STATELESS }).optional(),
  include: z.array(z.enum(INCLUDES)).nullish(),
  prompt: z.looseObject({ id: z.string(), variables: z.record(z.string(), PromptVariable).nullish() }).nullish(),
  store: z
    .literal(false)
    .nullish()
    .meta({ default: false })
    .transform(() => false as const),
  previous_response_id: z.null({ error: STATELESS }).optional(),
  stream_options: z.looseObject({ include_obfuscation: z.boolean().optional() }).nullish(),
  text: z.looseObject({ format: TextFormat.optional(), verbosity: z.enum(VERBOSITIES).nullish() }).optional(),
  tool_choice: RequestToolChoice.optional(),
  tools: z.array(Tool).optional(),
  truncation: openValue(["auto", "disabled"]).nullish(),
});
export type ResponsesBody = z.output<typeof ResponsesBody>;

import { z } from "zod";
import { openUnion } from "./open-union-contract";
import { CostDetails } from "./chat-result-contract";
import { ToolChoice } from "./tools-contract";

const tokens = z.number().int().min(0);
const number = z.number().nullable();
const status = z.enum(["in_progress", "completed", "incomplete"]).nullish();
const loose = z.record(z.string(), z.unknown());

const id = z.string().nullish();
const details = z.array(loose).nullish();

/** Unknown item and part types of an upstream that speaks Responses pass through. */
export const OutputPart = openUnion("type", [
  z.looseObject({ type: z.literal("output_text"), text: z.string(), annotations: details, logprobs: details }),
  z.looseObject({ type: z.literal("refusal"), refusal: z.string() }),
]);

const Words = z.looseObject({ type: z.string(), text: z.string() });

export const OutputItem = openUnion("type", [
  z.looseObject({ type: z.literal("message"), id, role: z.literal("assistant"), status, content: z.array(OutputPart) }),
  z.looseObject({
    type: z.literal("reasoning"),
    id,
    status,
    summary: z.array(Words).nullish(),
    content: z.array(Words).nullish(),
    encrypted_content: z.string().nullish(),
  }),
  z.looseObject({
    type: z.literal("function_call"),
    id,
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
    status,
  }),
]);
export type OutputItem = z.output<typeof OutputItem>;

export const ResponseUsage = z.looseObject({
  input_tokens: tokens,
  input_tokens_details: z.looseObject({ cached_tokens: tokens }),
  output_tokens: tokens,
  output_tokens_details: z.looseObject({ reasoning_tokens: tokens }),
  total_tokens: tokens,
  cost: z.number().optional().meta({ description: "USD; absent when a price is unknown" }),
  cost_details: CostDetails.optional(),
  is_byok: z.boolean(),
});
export type ResponseUsage = z.output<typeof ResponseUsage>;

/** The Responses object: the answer, with the request's settings. Further fields of a Responses upstream pass. */
export const ResponseObject = z
  .looseObject({
    id: z.string().meta({ description: "The generation ID" }),
    object: z.literal("response"),
    created_at: z.number().int().meta({ description: "Unix seconds" }),
    completed_at: z.number().int().nullable().meta({ description: "Unix seconds" }),
    status: z.enum(["in_progress", "completed", "incomplete", "failed"]),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    incomplete_details: z
      .looseObject({ reason: z.string().meta({ description: "max_output_tokens, content_filter" }) })
      .nullable(),
    model: z.string(),
    output: z.array(OutputItem),
    output_text: z.string(),
    usage: ResponseUsage.nullable(),
    instructions: z.string().nullable(),
    max_output_tokens: number,
    max_tool_calls: number,
    metadata: z.record(z.string(), z.string()).nullable(),
    parallel_tool_calls: z.boolean(),
    previous_response_id: z.null(),
    prompt_cache_key: z.string().nullable(),
    reasoning: loose.nullable(),
    safety_identifier: z.string().nullable(),
    service_tier: z.string(),
    store: z.literal(false),
    temperature: z.number(),
    top_p: z.number(),
    top_logprobs: z.number(),
    frequency_penalty: z.number(),
    presence_penalty: z.number(),
    text: loose,
    tool_choice: ToolChoice,
    tools: z.array(loose),
    truncation: z.string(),
    background: z.boolean(),
    user: z.string().nullable(),
    service_metadata: loose.optional().meta({ description: "Processing steps; included on request" }),
  })
  .meta({ id: "Response" });
export type ResponseObject = z.output<typeof ResponseObject>;

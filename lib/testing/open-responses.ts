import { z } from "zod";

/** Responses as version 2026-04-24 of the Open Responses specification requires them; further fields are allowed. */

const text = z.string();
const count = z.number().int();
const status = z.enum(["in_progress", "completed", "incomplete"]);

const token = { token: text, logprob: z.number(), bytes: z.array(count) };
const logprobs = z.array(z.object({ ...token, top_logprobs: z.array(z.object(token)) })).optional();
const citation = z.object({
  type: z.literal("url_citation"),
  url: text,
  title: text,
  start_index: count,
  end_index: count,
});
const part = z.discriminatedUnion("type", [
  z.object({ type: z.literal("output_text"), text, annotations: z.array(citation), logprobs }),
  z.object({ type: z.literal("refusal"), refusal: text }),
  z.object({ type: z.literal("summary_text"), text }),
  z.object({ type: z.literal("reasoning_text"), text }),
]);
const item = z.discriminatedUnion("type", [
  z.object({ type: z.literal("message"), id: text, status, role: z.literal("assistant"), content: z.array(part) }),
  z.object({ type: z.literal("function_call"), id: text, call_id: text, name: text, arguments: text, status }),
  z.object({
    type: z.literal("reasoning"),
    id: text,
    summary: z.array(part),
    content: z.array(part).optional(),
    encrypted_content: text.optional(),
  }),
]);

const choice = z.enum(["auto", "none", "required"]);
const namedFunction = z.object({ type: z.literal("function"), name: text.optional() });

/** The response object. */
export const OpenResponse = z.object({
  id: text,
  object: z.literal("response"),
  created_at: count,
  completed_at: count.nullable(),
  status: z.enum(["queued", "in_progress", "completed", "incomplete", "failed"]),
  incomplete_details: z.object({ reason: text }).nullable(),
  model: text,
  previous_response_id: text.nullable(),
  instructions: text.nullable(),
  output: z.array(item),
  error: z.object({ code: text, message: text }).nullable(),
  tools: z.array(
    z.object({
      type: z.literal("function"),
      name: text,
      description: text.nullable(),
      parameters: z.record(text, z.unknown()).nullable(),
      strict: z.boolean().nullable(),
    }),
  ),
  tool_choice: z.union([
    choice,
    namedFunction,
    z.object({ type: z.literal("allowed_tools"), tools: z.array(namedFunction), mode: choice }),
  ]),
  truncation: z.enum(["auto", "disabled"]),
  parallel_tool_calls: z.boolean(),
  text: z.object({ format: z.looseObject({ type: text }), verbosity: z.enum(["low", "medium", "high"]).optional() }),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: count,
  temperature: z.number(),
  reasoning: z.object({ effort: text.nullable(), summary: text.nullable() }).nullable(),
  usage: z
    .object({
      input_tokens: count,
      output_tokens: count,
      total_tokens: count,
      input_tokens_details: z.object({ cached_tokens: count }),
      output_tokens_details: z.object({ reasoning_tokens: count }),
    })
    .nullable(),
  max_output_tokens: count.nullable(),
  max_tool_calls: count.nullable(),
  store: z.boolean(),
  background: z.boolean(),
  service_tier: text,
  metadata: z.record(text, text).nullable(),
  safety_identifier: text.nullable(),
  prompt_cache_key: text.nullable(),
});

const event = <const Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), sequence_number: count, ...shape });
const ofItem = { item_id: text, output_index: count };
const ofPart = { ...ofItem, content_index: count };
const ofSummary = { ...ofItem, summary_index: count };

/** An event of a stream. */
export const OpenResponsesEvent = z.discriminatedUnion("type", [
  event("response.created", { response: OpenResponse }),
  event("response.in_progress", { response: OpenResponse }),
  event("response.completed", { response: OpenResponse }),
  event("response.incomplete", { response: OpenResponse }),
  event("response.failed", { response: OpenResponse }),
  event("response.output_item.added", { output_index: count, item }),
  event("response.output_item.done", { output_index: count, item }),
  event("response.content_part.added", { ...ofPart, part }),
  event("response.content_part.done", { ...ofPart, part }),
  event("response.output_text.delta", { ...ofPart, delta: text, logprobs }),
  event("response.output_text.done", { ...ofPart, text, logprobs }),
  event("response.output_text.annotation.added", { ...ofPart, annotation_index: count, annotation: citation }),
  event("response.refusal.delta", { ...ofPart, delta: text }),
  event("response.refusal.done", { ...ofPart, refusal: text }),
  event("response.reasoning_summary_part.added", { ...ofSummary, part }),
  event("response.reasoning_summary_part.done", { ...ofSummary, part }),
  event("response.reasoning_summary_text.delta", { ...ofSummary, delta: text }),
  event("response.reasoning_summary_text.done", { ...ofSummary, text }),
  event("response.function_call_arguments.delta", { ...ofItem, delta: text }),
  event("response.function_call_arguments.done", { ...ofItem, arguments: text }),
]);

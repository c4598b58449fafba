import { z } from "zod";
import { ToolChoice } from "./tools-contract";

const tokens = z.number().int().min(0);
const number = z.number().nullable();
const status = z.enum(["in_progress", "completed", "incomplete"]);
const loose = z.record(z.string(), z.unknown());

export const OutputMessage = z.object({
  type: z.literal("message"),
  id: z.string(),
  role: z.literal("assistant"),
  status,
  content: z.array(
    z.discriminatedUnion("type", [
      z.object({ type: z.literal("output_text"), text: z.string(), annotations: z.array(loose), logprobs: z.array(loose) }),
      z.object({ type: z.literal("refusal"), refusal: z.string() }),
    ]),
  ),
});

export const OutputReasoning = z.object({
  type: z.literal("reasoning"),
  id: z.string(),
  status,
  summary: z.array(loose),
  content: z.array(z.object({ type: z.literal("reasoning_text"), text: z.string() })),
});

export const OutputFunctionCall = z.object({
  type: z.literal("function_call"),
  id: z.string(),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
  status,
});

export const OutputItem = z.discriminatedUnion("type", [OutputMessage, OutputReasoning, OutputFunctionCall]);
export type OutputItem = z.output<typeof OutputItem>;

export const ResponseUsage = z.object({
  input_tokens: tokens,
  input_tokens_details: z.object({ cached_tokens: tokens }),
  output_tokens: tokens,
  output_tokens_details: z.object({ reasoning_tokens: tokens }),
  total_tokens: tokens,
  cost: z.number().meta({ description: "USD" }),
  is_byok: z.boolean(),
});
export type ResponseUsage = z.output<typeof ResponseUsage>;

/** The Responses object: the answer, and what it was asked with. */
export const ResponseObject = z
  .object({
    id: z.string().meta({ description: "The generation id" }),
    object: z.literal("response"),
    created_at: z.number().int().meta({ description: "Unix seconds" }),
    completed_at: z.number().int().nullable().meta({ description: "Unix seconds" }),
    status: z.enum(["in_progress", "completed", "incomplete", "failed"]),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    incomplete_details: z.object({ reason: z.enum(["max_output_tokens", "content_filter"]) }).nullable(),
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
    service_tier: z.string().nullable(),
    store: z.literal(false),
    temperature: number,
    top_p: number,
    frequency_penalty: number,
    presence_penalty: number,
    text: loose,
    tool_choice: ToolChoice,
    tools: z.array(loose),
    truncation: z.string().nullable(),
    background: z.boolean(),
    user: z.string().nullable(),
  })
  .meta({ id: "Response" });
export type ResponseObject = z.output<typeof ResponseObject>;

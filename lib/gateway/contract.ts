import { z } from "zod";
import { operation } from "../platform/http/operation";
import { ChatMessage } from "../engine/protocols/contracts/chat-messages-contract";
import { ChatCompletion } from "../engine/protocols/contracts/chat-result-contract";
import { InputItem, PromptVariable } from "../engine/protocols/contracts/input-items-contract";
import {
  MAX_TOOL_CALLS,
  REASONING_EFFORTS,
  requestFields,
  TextFormat,
} from "../engine/protocols/contracts/request-fields-contract";
import { ResponseObject } from "../engine/protocols/contracts/responses-result-contract";
import { ChatTool, ChatToolChoice, Tool, ToolChoice } from "../engine/protocols/contracts/tools-contract";

/** Values of `include`: what a request may ask to be included in the answer. */
export const INCLUDES = [
  "file_search_call.results",
  "message.input_image.image_url",
  "computer_call_output.output.image_url",
  "reasoning.encrypted_content",
  "code_interpreter_call.outputs",
] as const;

const Verbosity = z.enum(["low", "medium", "high", "xhigh", "max"]).nullish();
const maxTokens = z.number().int().min(1).nullish();

/** The Responses request body: docs/semantics.md#responses-requests. Unknown fields are ignored. */
export const ResponsesBody = z.object({
  ...requestFields,
  input: z.union([z.string(), z.array(InputItem)]).optional(),
  instructions: z.string().nullish(),
  max_output_tokens: maxTokens,
  max_tool_calls: z.number().int().min(1).max(MAX_TOOL_CALLS).nullish().meta({ default: MAX_TOOL_CALLS }),
  background: z.boolean().nullish(),
  include: z.array(z.enum(INCLUDES)).nullish(),
  prompt: z.looseObject({ id: z.string(), variables: z.record(z.string(), PromptVariable).nullish() }).nullish(),
  safety_identifier: z.string().nullish(),
  store: z.literal(false).default(false),
  previous_response_id: z
    .null({ error: "is not supported: the API is stateless. Send the full history in input" })
    .optional(),
  text: z.looseObject({ format: TextFormat.optional(), verbosity: Verbosity }).optional(),
  tool_choice: ToolChoice.optional(),
  tools: z.array(Tool).optional(),
  truncation: z.enum(["auto", "disabled"]).nullish(),
});
export type ResponsesBody = z.output<typeof ResponsesBody>;

/** The Chat Completions request body: docs/semantics.md#chat-completions-requests. Unknown fields are ignored. */
export const ChatCompletionsBody = z.object({
  ...requestFields,
  messages: z.array(ChatMessage).min(1),
  max_completion_tokens: maxTokens,
  max_tokens: maxTokens,
  logit_bias: z.record(z.string(), z.number()).nullish(),
  logprobs: z.boolean().nullish(),
  min_p: z.number().nullish(),
  prediction: z.looseObject({ type: z.string() }).nullish(),
  reasoning_effort: z.enum(REASONING_EFFORTS).nullish(),
  repetition_penalty: z.number().nullish(),
  response_format: z.looseObject({ type: z.string() }).nullish(),
  seed: z.number().int().nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  tool_choice: ChatToolChoice.nullish(),
  tools: z.array(ChatTool).optional(),
  top_a: z.number().nullish(),
  verbosity: Verbosity,
});
export type ChatCompletionsBody = z.output<typeof ChatCompletionsBody>;

const inference = {
  tag: "Inference",
  access: "inference",
  method: "POST",
  status: 200,
  errors: [404, 503],
  streams: true,
} as const;

export const createResponse = operation({
  ...inference,
  id: "createResponse",
  path: "/responses",
  summary: "Create a response, complete or streamed",
  body: ResponsesBody,
  bodySize: "large",
  result: ResponseObject,
  example: { body: { model: "sandbox/echo", input: "Hello", max_output_tokens: 50 } },
});

export const createChatCompletion = operation({
  ...inference,
  id: "createChatCompletion",
  path: "/chat/completions",
  summary: "Create a chat completion, complete or streamed",
  body: ChatCompletionsBody,
  bodySize: "large",
  result: ChatCompletion,
  example: { body: { model: "sandbox/echo", messages: [{ role: "user", content: "Hello" }] } },
});

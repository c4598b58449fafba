import { z } from "zod";
import { operation } from "../platform/http/operation";
import { ChatMessage } from "../engine/protocols/contracts/chat-messages-contract";
import { ChatCompletion, ChatCompletionChunk } from "../engine/protocols/contracts/chat-result-contract";
import { InputItem, PromptVariable } from "../engine/protocols/contracts/input-items-contract";
import {
  MAX_TOOL_CALLS,
  REASONING_EFFORTS,
  requestFields,
  TextFormat,
} from "../engine/protocols/contracts/request-fields-contract";
import { functionFields } from "../engine/protocols/contracts/server-tools-contract";
import { approximateLocation } from "../engine/protocols/contracts/web-search-contract";
import { ResponseEvent } from "../engine/protocols/contracts/responses-events-contract";
import { ResponseObject } from "../engine/protocols/contracts/responses-result-contract";
import { ChatTool, ChatToolChoice, Tool, ToolChoice } from "../engine/protocols/contracts/tools-contract";

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

/** Maximum number of choices of one chat completion. */
export const MAX_CHOICES = 128;

const Verbosity = z.enum(["low", "medium", "high", "xhigh", "max"]).nullish();
const maxTokens = z.number().int().min(1).nullish();

const STATELESS = "is not supported: the API is stateless. Send the full history in input";

/** The Responses request body: docs/semantics.md#responses-requests. Unknown fields pass (docs/protocols.md). */
export const ResponsesBody = z.looseObject({
  ...requestFields,
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
  text: z.looseObject({ format: TextFormat.optional(), verbosity: Verbosity }).optional(),
  tool_choice: ToolChoice.optional(),
  tools: z.array(Tool).optional(),
  truncation: z.enum(["auto", "disabled"]).nullish(),
});
export type ResponsesBody = z.output<typeof ResponsesBody>;

/** The Chat Completions request body: docs/semantics.md#chat-completions-requests. Unknown fields pass (docs/protocols.md). */
export const ChatCompletionsBody = z.looseObject({
  ...requestFields,
  messages: z.array(ChatMessage).min(1),
  audio: z.looseObject({ format: z.string().optional() }).nullish(),
  function_call: z.union([z.enum(["auto", "none"]), z.looseObject({ name: z.string() })]).optional(),
  functions: z.array(z.looseObject(functionFields)).optional(),
  max_completion_tokens: maxTokens,
  max_tokens: maxTokens,
  logit_bias: z.record(z.string(), z.number()).nullish(),
  logprobs: z.boolean().nullish(),
  min_p: z.number().nullish(),
  n: z.number().int().min(1).max(MAX_CHOICES).nullish(),
  prediction: z.looseObject({ type: z.string() }).nullish(),
  reasoning_effort: z.enum(REASONING_EFFORTS).nullish(),
  repetition_penalty: z.number().nullish(),
  response_format: z.looseObject({ type: z.string() }).nullish(),
  seed: z.number().int().nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  store: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  tool_choice: ChatToolChoice.nullish(),
  tools: z.array(ChatTool).optional(),
  top_a: z.number().nullish(),
  verbosity: Verbosity,
  web_search_options: z
    .looseObject({
      search_context_size: z.enum(["low", "medium", "high"]).nullish(),
      user_location: z
        .looseObject({ type: z.literal("approximate"), approximate: z.looseObject(approximateLocation) })
        .nullish(),
    })
    .nullish(),
});
export type ChatCompletionsBody = z.output<typeof ChatCompletionsBody>;

const inference = {
  tag: "Inference",
  access: "inference",
  method: "POST",
  status: 200,
  errors: [404, 503],
  passesBody: true,
  passesResult: true,
} as const;

export const createResponse = operation({
  ...inference,
  id: "createResponse",
  path: "/responses",
  summary: "Create a response, complete or streamed",
  body: ResponsesBody,
  bodySize: "large",
  result: ResponseObject,
  streams: ResponseEvent,
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
  streams: ChatCompletionChunk,
  example: { body: { model: "sandbox/echo", messages: [{ role: "user", content: "Hello" }] } },
});

import { z } from "zod";
import { ChatMessage } from "./chat-messages-contract";
import { openValue } from "./open-value-contract";
import { maxTokens, REASONING_EFFORTS, requestFields, VERBOSITIES } from "./request-fields-contract";
import { functionFields } from "./server-tools-contract";
import { ChatTool, ChatToolChoice } from "./tools-contract";
import { approximateLocation } from "./web-search-contract";

/** Maximum number of choices of one chat completion. */
export const MAX_CHOICES = 128;

/** The Chat Completions request body: docs/semantics.md#chat-completions-requests. Unknown fields pass (docs/protocols.md). */
export const ChatCompletionsBody = z.looseObject({
  ...requestFields,
  messages: z.array(ChatMessage).min(1),
  audio: z.looseObject({ format: z.string().optional() }).nullish(),
  function_call: z.union([openValue(["auto", "none"]), z.looseObject({ name: z.string() })]).optional(),
  functions: z.array(z.looseObject(functionFields)).optional(),
  max_completion_tokens: maxTokens,
  max_tokens: maxTokens,
  logit_bias: z.record(z.string(), z.number()).nullish(),
  logprobs: z.boolean().nullish(),
  min_p: z.number().nullish(),
  n: z.number().int().min(1).max(MAX_CHOICES).nullish(),
  prediction: z.looseObject({ type: z.string() }).nullish(),
  reasoning_effort: openValue(REASONING_EFFORTS).nullish(),
  repetition_penalty: z.number().nullish(),
  response_format: z.looseObject({ type: z.string() }).nullish(),
  seed: z.number().int().nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  store: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  tool_choice: ChatToolChoice.nullish(),
  tools: z.array(ChatTool).optional(),
  top_a: z.number().nullish(),
  verbosity: openValue(VERBOSITIES).nullish(),
  web_search_options: z
    .looseObject({
      search_context_size: openValue(["low", "medium", "high"]).nullish(),
      user_location: z
        .looseObject({ type: z.literal("approximate"), approximate: z.looseObject(approximateLocation) })
        .nullish(),
    })
    .nullish(),
});
export type ChatCompletionsBody = z.output<typeof ChatCompletionsBody>;

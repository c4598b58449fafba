import { z } from "zod";
import { ToolCall } from "./chat-messages-contract";

const tokens = z.number().int().min(0).max(2_147_483_647);

/** Parts of a cost in USD; each is rounded by itself. */
export const CostDetails = z.record(z.string(), z.number()).meta({
  description:
    "USD for each kind of tokens, the request fee, failed_attempts that a provider may bill, and the sums of prompt and completion under OpenRouter's names",
});

/** Token counts of chat completions; `cost` is in USD and added by Signalbox. */
export const ChatUsage = z.looseObject({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  total_tokens: tokens,
  prompt_tokens_details: z.looseObject({ cached_tokens: tokens.nullish() }).nullish(),
  completion_tokens_details: z.looseObject({ reasoning_tokens: tokens.nullish() }).nullish(),
  cost: z.number().optional().meta({ description: "USD; absent when a price is unknown" }),
  cost_details: CostDetails.optional(),
  is_byok: z.boolean().optional(),
});
export type ChatUsage = z.output<typeof ChatUsage>;

const ToolCallDelta = z.looseObject({
  index: z.number().int().min(0).max(1000),
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
  custom: z.looseObject({ name: z.string().nullish(), input: z.string().nullish() }).nullish(),
});
const FunctionCallDelta = z.looseObject({ name: z.string().nullish(), arguments: z.string().nullish() });

/** One event of a streamed answer. Additional upstream fields pass through. */
export const ChatChunk = z.looseObject({
  id: z.string().nullish(),
  created: z.number().int().nullish(),
  choices: z.array(
    z.looseObject({
      index: z.number().int(),
      delta: z.looseObject({
        content: z.string().nullish(),
        reasoning: z.string().nullish(),
        reasoning_content: z.string().nullish(),
        refusal: z.string().nullish(),
        tool_calls: z.array(ToolCallDelta).nullish(),
        function_call: FunctionCallDelta.nullish(),
      }),
      finish_reason: z.string().nullish(),
    }),
  ),
  usage: ChatUsage.nullish(),
});
export type ChatChunk = z.output<typeof ChatChunk>;

/** An event of a streamed chat completion, as Signalbox writes it. The last one is followed by `[DONE]`. */
export const ChatCompletionChunk = ChatChunk.extend({
  id: z.string(),
  object: z.literal("chat.completion.chunk"),
  created: z.number().int(),
  model: z.string(),
}).meta({ id: "ChatCompletionChunk" });

/** A complete chat completion, as returned by upstreams and by Signalbox. */
export const ChatCompletion = z
  .looseObject({
    id: z.string(),
    object: z.literal("chat.completion"),
    created: z.number().int(),
    model: z.string(),
    system_fingerprint: z.string().nullish(),
    choices: z.array(
      z.looseObject({
        index: z.number().int(),
        message: z.looseObject({
          role: z.literal("assistant"),
          content: z
            .union([z.string(), z.array(z.looseObject({ type: z.string().optional() }))])
            .nullable()
            .meta({ description: "A list of parts if the upstream sends one" }),
          reasoning: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z.array(ToolCall).nullish(),
          function_call: FunctionCallDelta.nullish(),
        }),
        finish_reason: z.string().nullable(),
      }),
    ),
    usage: ChatUsage.optional(),
    service_metadata: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: "Processing steps; included on request" }),
  })
  .meta({ id: "ChatCompletion" });
export type ChatCompletion = z.output<typeof ChatCompletion>;

import { z } from "zod";
import { openUnion } from "./open-union-contract";
import { CostDetails } from "./chat-result-contract";
import {
  ContainerUploadBlock,
  RedactedThinkingBlock,
  ServerToolUseBlock,
  serverToolResults,
  TextBlock,
  ThinkingBlock,
  ToolUseBlock,
} from "./messages-blocks-contract";

const text = z.string();
const tokens = z.number().int().min(0);

/** A block of an answer. */
export const ResponseBlock = openUnion("type", [
  TextBlock,
  ThinkingBlock,
  RedactedThinkingBlock,
  ToolUseBlock,
  ServerToolUseBlock,
  ...serverToolResults,
  ContainerUploadBlock,
]);
export type ResponseBlock = z.output<typeof ResponseBlock>;

const usage = {
  cache_creation_input_tokens: tokens.nullish(),
  cache_read_input_tokens: tokens.nullish(),
  output_tokens: tokens,
  output_tokens_details: z.looseObject({ thinking_tokens: tokens.nullish() }).nullish(),
  server_tool_use: z
    .looseObject({ web_search_requests: tokens.nullish(), web_fetch_requests: tokens.nullish() })
    .nullish(),
  cost: z.number().optional().meta({ description: "USD; absent when a price is unknown" }),
  cost_details: CostDetails.optional(),
  is_byok: z.boolean().optional(),
};

/** Token counts; tokens read from a cache or written to it aren't part of `input_tokens`. */
export const MessagesUsage = z.looseObject({
  input_tokens: tokens,
  cache_creation: z
    .looseObject({ ephemeral_5m_input_tokens: tokens.nullish(), ephemeral_1h_input_tokens: tokens.nullish() })
    .nullish(),
  service_tier: text.nullish(),
  inference_geo: text.nullish(),
  ...usage,
});
export type MessagesUsage = z.output<typeof MessagesUsage>;

export const STOP_REASONS = [
  "end_turn",
  "max_tokens",
  "stop_sequence",
  "tool_use",
  "pause_turn",
  "refusal",
  "model_context_window_exceeded",
] as const;

const ending = {
  stop_reason: text.nullable().meta({ description: STOP_REASONS.join(", ") }),
  stop_sequence: text.nullable(),
  stop_details: z.looseObject({ type: text, category: text.nullish(), explanation: text.nullish() }).nullish(),
  container: z.looseObject({ id: text, expires_at: text.nullish() }).nullish(),
};

/** A Messages answer. Further fields of an upstream that speaks Messages pass. */
export const Message = z
  .looseObject({
    id: text.meta({ description: "The generation ID" }),
    type: z.literal("message"),
    role: z.literal("assistant"),
    model: text,
    content: z.array(ResponseBlock),
    ...ending,
    usage: MessagesUsage,
    service_metadata: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: "Processing steps; included on request" }),
  })
  .meta({ id: "Message" });
export type Message = z.output<typeof Message>;

/** Events of a Messages stream; others of an upstream that speaks Messages pass. */
export const MessageStreamEvent = openUnion("type", [
  z.looseObject({ type: z.literal("message_start"), message: Message }),
  z.looseObject({ type: z.literal("content_block_start"), index: tokens, content_block: ResponseBlock }),
  z.looseObject({
    type: z.literal("content_block_delta"),
    index: tokens,
    delta: openUnion("type", [
      z.looseObject({ type: z.literal("text_delta"), text }),
      z.looseObject({ type: z.literal("input_json_delta"), partial_json: text }),
      z.looseObject({ type: z.literal("thinking_delta"), thinking: text }),
      z.looseObject({ type: z.literal("signature_delta"), signature: text }),
      z.looseObject({ type: z.literal("citations_delta"), citation: z.record(z.string(), z.unknown()) }),
    ]),
  }),
  z.looseObject({ type: z.literal("content_block_stop"), index: tokens }),
  z.looseObject({
    type: z.literal("message_delta"),
    delta: z.looseObject(ending),
    usage: z.looseObject({ input_tokens: tokens.nullish(), ...usage }),
  }),
  z.looseObject({ type: z.literal("message_stop") }),
  z.looseObject({ type: z.literal("ping") }),
  z.looseObject({ type: z.literal("error"), error: z.looseObject({ type: text, message: text }) }),
]);
export type MessageStreamEvent = z.output<typeof MessageStreamEvent>;

import { z } from "zod";
import { MessagesBlock, MessagesCacheControl, TextBlock } from "./messages-blocks-contract";
import { MessagesTool, MessagesToolChoice } from "./messages-tools-contract";
import { openValue } from "./open-value-contract";
import { requestFields } from "./request-fields-contract";

const text = z.string();
const { model, models, preset, provider, plugins, route, session_id, trace, debug, stream, top_k } = requestFields;

/** A turn of the conversation; instructions in the middle of it have the role `system`. */
export const MessagesMessage = z
  .looseObject({ role: z.enum(["user", "assistant", "system"]), content: z.union([text, z.array(MessagesBlock)]) })
  .meta({ id: "MessagesMessage" });
export type MessagesMessage = z.output<typeof MessagesMessage>;

export const THINKING_TYPES = ["enabled", "adaptive", "disabled", "between_tools"] as const;

/** Amount of reasoning before an answer. */
const Thinking = z.looseObject({
  type: openValue(THINKING_TYPES),
  budget_tokens: z.number().int().min(1).nullish(),
  display: openValue(["summarized", "omitted"]).nullish(),
});

export const MESSAGES_EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;

const prompt = {
  messages: z.array(MessagesMessage).min(1),
  system: z.union([text, z.array(TextBlock)]).nullish(),
  tools: z.array(MessagesTool).nullish(),
  tool_choice: MessagesToolChoice.nullish(),
  thinking: Thinking.nullish(),
  output_config: z
    .looseObject({
      effort: openValue(MESSAGES_EFFORTS).nullish(),
      format: z.looseObject({ type: text, schema: z.record(text, z.unknown()).optional() }).nullish(),
    })
    .nullish(),
  output_format: z
    .looseObject({ type: text, schema: z.record(text, z.unknown()).optional() })
    .nullish()
    .meta({ deprecated: true, description: "output_config.format" }),
  cache_control: MessagesCacheControl.nullish(),
  context_management: z.looseObject({ edits: z.array(z.looseObject({ type: text })).nullish() }).nullish(),
  mcp_servers: z
    .array(
      z.looseObject({
        type: text,
        url: text,
        name: text,
        authorization_token: text.nullish(),
        tool_configuration: z
          .looseObject({ enabled: z.boolean().nullish(), allowed_tools: z.array(text).nullish() })
          .nullish(),
      }),
    )
    .nullish(),
  speed: openValue(["standard", "fast"]).nullish(),
  thread: z.looseObject({ type: text, previous_message_id: text.nullish() }).nullish(),
};

/** Fields for Signalbox itself, which no upstream receives. */
const own = { model, models, preset, provider, plugins, route, session_id, trace, debug };

/** The Messages request body: docs/semantics.md#messages-requests. Unknown fields pass (docs/protocols.md). */
export const MessagesBody = z.looseObject({
  ...own,
  ...prompt,
  max_tokens: z.number().int().min(0).nullish().meta({ description: "Required unless a preset sets it" }),
  stream,
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  top_k: top_k.nullish(),
  stop_sequences: z.array(text).nullish(),
  metadata: z.looseObject({ user_id: z.string().max(1024).nullish() }).nullish(),
  service_tier: openValue(["auto", "standard_only"]).nullish(),
  container: z
    .union([text, z.looseObject({ id: text.nullish(), skills: z.array(z.looseObject({ skill_id: text })).nullish() })])
    .nullish(),
  inference_geo: text.nullish(),
});
export type MessagesBody = z.output<typeof MessagesBody>;

/** A request that is complete by itself or by its preset. */
export const MergedMessagesBody = MessagesBody.refine(({ max_tokens }) => (max_tokens ?? null) !== null, {
  path: ["max_tokens"],
  message: "is required",
});

/** The body of a count of the tokens of a Messages request. */
export const CountTokensBody = z.looseObject({ ...own, ...prompt });
export type CountTokensBody = z.output<typeof CountTokensBody>;

import { z } from "zod";

/** Request bodies as Anthropic's public API accepts them: an unknown field anywhere is an error. */

const text = z.string();
const said = text.regex(/\S/, "text content blocks must contain non-whitespace text");
const flag = z.boolean();
const cache_control = z.strictObject({ type: z.literal("ephemeral"), ttl: z.enum(["5m", "1h"]).optional() }).optional();

const url = z.strictObject({ type: z.literal("url"), url: z.url({ protocol: /^https?$/ }) });
const file = z.strictObject({ type: z.literal("file"), file_id: text.min(1) });
const base64 = <const Type extends string>(...types: [Type, ...Type[]]) =>
  z.strictObject({ type: z.literal("base64"), media_type: z.enum(types), data: z.base64().min(1) });

const textBlock = z.strictObject({ type: z.literal("text"), text: said, cache_control });
const image = z.strictObject({
  type: z.literal("image"),
  source: z.discriminatedUnion("type", [base64("image/jpeg", "image/png", "image/gif", "image/webp"), url, file]),
  cache_control,
});
const document = z.strictObject({
  type: z.literal("document"),
  source: z.discriminatedUnion("type", [
    base64("application/pdf"),
    url,
    file,
    z.strictObject({ type: z.literal("text"), media_type: z.literal("text/plain"), data: text }),
  ]),
  title: text.min(1).max(500).optional(),
  cache_control,
});
const callId = text.regex(/^[a-zA-Z0-9_-]+$/);
const toolName = text.regex(/^[a-zA-Z0-9_-]{1,128}$/);
const toolResult = z.strictObject({
  type: z.literal("tool_result"),
  tool_use_id: callId,
  content: z.union([text, z.array(z.discriminatedUnion("type", [textBlock, image, document]))]).optional(),
  is_error: flag.optional(),
  cache_control,
});
const userBlock = z.discriminatedUnion("type", [textBlock, image, document, toolResult]);
const answerBlock = z.discriminatedUnion("type", [
  textBlock,
  z.strictObject({ type: z.literal("thinking"), thinking: text, signature: text.min(1) }),
  z.strictObject({ type: z.literal("redacted_thinking"), data: text.min(1) }),
  z.strictObject({
    type: z.literal("tool_use"),
    id: callId,
    name: toolName,
    input: z.record(text, z.unknown()),
    cache_control,
  }),
]);
const message = z.discriminatedUnion("role", [
  z.strictObject({ role: z.literal("user"), content: z.union([said, z.array(userBlock).min(1)]) }),
  z.strictObject({ role: z.literal("assistant"), content: z.union([said, z.array(answerBlock).min(1)]) }),
]);
type Message = z.output<typeof message>;
type Block = z.output<typeof userBlock> | z.output<typeof answerBlock>;

const blocksOf = ({ content }: Message): readonly Block[] => (typeof content === "string" ? [] : content);
const callsOf = (given: Message | undefined): string[] =>
  given ? blocksOf(given).flatMap((block) => (block.type === "tool_use" ? [block.id] : [])) : [];
const resultsOf = (given: Message | undefined): string[] =>
  given ? blocksOf(given).flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : [])) : [];
const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && new Set([...one, ...other]).size === one.length;

const alternates = (messages: readonly Message[]) =>
  messages.every(({ role }, index) => role === (index % 2 === 0 ? "user" : "assistant"));
const isPaired = (messages: readonly Message[]) =>
  messages.every((one, index) =>
    one.role === "assistant"
      ? isSame(callsOf(one), resultsOf(messages[index + 1]))
      : isSame(resultsOf(one), callsOf(messages[index - 1])),
  );
const hasUniqueCalls = (messages: readonly Message[]) => {
  const ids = messages.flatMap(callsOf);
  return new Set(ids).size === ids.length;
};
const hasResultsFirst = (messages: readonly Message[]) =>
  messages.every((one) => {
    const types = blocksOf(one).map(({ type }) => type);
    return types.lastIndexOf("tool_result") === types.filter((type) => type === "tool_result").length - 1;
  });
const endsWithWord = (messages: readonly Message[]) => {
  const last = messages.at(-1);
  const block = last?.role === "assistant" ? blocksOf(last).at(-1) : undefined;
  return block?.type !== "text" || block.text === block.text.trimEnd();
};

const parallel = { disable_parallel_tool_use: flag.optional() };
const display = z.enum(["summarized", "omitted"]).optional();
const location = {
  city: text.optional(),
  country: text.optional(),
  region: text.optional(),
  timezone: text.optional(),
};

export const StrictMessagesBody = z
  .strictObject({
    model: text.min(1),
    max_tokens: z.int().min(1),
    messages: z
      .array(message)
      .min(1)
      .refine(alternates, "roles must alternate, beginning with user")
      .refine(isPaired, "tool_use blocks need their tool_result blocks in the next message, and the other way around")
      .refine(hasUniqueCalls, "tool_use ids must be unique")
      .refine(hasResultsFirst, "tool_result blocks must come first")
      .refine(endsWithWord, "final assistant content cannot end with trailing whitespace"),
    stream: flag,
    system: z.union([said, z.array(textBlock).min(1)]).optional(),
    temperature: z.number().min(0).max(1).optional(),
    top_p: z.number().min(0).max(1).optional(),
    top_k: z.int().min(1).optional(),
    stop_sequences: z.array(text.regex(/\S/, "each stop sequence must contain non-whitespace")).optional(),
    metadata: z.strictObject({ user_id: text.max(256).optional() }).optional(),
    service_tier: z.enum(["auto", "standard_only"]).optional(),
    cache_control,
    thinking: z
      .discriminatedUnion("type", [
        z.strictObject({ type: z.literal("enabled"), budget_tokens: z.int().min(1024), display }),
        z.strictObject({ type: z.literal("adaptive"), display }),
        z.strictObject({ type: z.literal("disabled") }),
      ])
      .optional(),
    output_config: z
      .strictObject({
        effort: z.enum(["low", "medium", "high", "xhigh", "max"]).optional(),
        format: z.strictObject({ type: z.literal("json_schema"), schema: z.record(text, z.unknown()) }).optional(),
      })
      .optional(),
    tools: z
      .array(
        z.union([
          z.strictObject({
            type: z.literal("custom").optional(),
            name: toolName,
            description: text.optional(),
            input_schema: z.looseObject({ type: z.literal("object") }),
            eager_input_streaming: flag.optional(),
            strict: flag.optional(),
            cache_control,
          }),
          z.strictObject({
            type: z.literal("web_search_20250305"),
            name: z.literal("web_search"),
            user_location: z.strictObject({ type: z.literal("approximate"), ...location }).optional(),
          }),
        ]),
      )
      .min(1)
      .refine((tools) => new Set(tools.map(({ name }) => name)).size === tools.length, "tool names must be unique")
      .optional(),
    tool_choice: z
      .discriminatedUnion("type", [
        z.strictObject({ type: z.enum(["auto", "any"]), ...parallel }),
        z.strictObject({ type: z.literal("tool"), name: toolName, ...parallel }),
        z.strictObject({ type: z.literal("none") }),
      ])
      .optional(),
  })
  .refine(({ tools, tool_choice }) => !tool_choice || tools !== undefined, "tool_choice needs tools")
  .refine(
    ({ tools, tool_choice: choice }) => choice?.type !== "tool" || tools?.some(({ name }) => name === choice.name),
    "tool_choice must name one of the tools",
  )
  .refine(
    ({ thinking, max_tokens }) => thinking?.type !== "enabled" || thinking.budget_tokens < max_tokens,
    "max_tokens must be greater than thinking.budget_tokens",
  )
  .refine(
    ({ thinking, temperature, top_k, top_p, tool_choice }) =>
      !thinking ||
      thinking.type === "disabled" ||
      ((temperature ?? 1) === 1 &&
        top_k === undefined &&
        (top_p ?? 1) >= 0.95 &&
        tool_choice?.type !== "any" &&
        tool_choice?.type !== "tool"),
    "thinking goes with a temperature of 1, a top_p of at least 0.95, no top_k and no forced tool",
  );

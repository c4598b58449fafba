import { z } from "zod";

/** Request bodies as OpenAI's public API accepts them: an unknown field anywhere is an error. */

const text = z.string();
const effort = z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]);
const metadata = z.record(text, text);
const tier = z.enum(["auto", "default", "flex", "scale", "priority"]);
const functionShape = {
  name: text.max(64),
  description: text.optional(),
  parameters: z.record(text, z.unknown()).optional(),
  strict: z.boolean().optional(),
};
const grammar = { syntax: z.enum(["lark", "regex"]), definition: text };
const location = {
  city: text.optional(),
  country: text.optional(),
  region: text.optional(),
  timezone: text.optional(),
};
const contextSize = z.enum(["low", "medium", "high"]).optional();

const image = z.strictObject({ url: text.min(1), detail: z.enum(["auto", "low", "high"]).optional() });
const chatPart = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text }),
  z.strictObject({ type: z.literal("image_url"), image_url: image }),
  z.strictObject({
    type: z.literal("input_audio"),
    input_audio: z.strictObject({ data: text, format: z.enum(["wav", "mp3"]) }),
  }),
  z.strictObject({
    type: z.literal("file"),
    file: z.strictObject({
      filename: text.optional(),
      file_data: text.startsWith("data:").optional(),
      file_id: text.optional(),
    }),
  }),
]);
const chatCall = z.discriminatedUnion("type", [
  z.strictObject({ id: text, type: z.literal("function"), function: z.strictObject({ name: text, arguments: text }) }),
  z.strictObject({ id: text, type: z.literal("custom"), custom: z.strictObject({ name: text, input: text }) }),
]);
const textParts = z.union([text, z.array(z.strictObject({ type: z.literal("text"), text }))]);
const chatMessage = z.discriminatedUnion("role", [
  z.strictObject({ role: z.enum(["system", "developer"]), content: textParts, name: text.optional() }),
  z.strictObject({ role: z.literal("user"), content: z.union([text, z.array(chatPart)]), name: text.optional() }),
  z.strictObject({
    role: z.literal("assistant"),
    content: textParts.nullish(),
    refusal: text.nullish(),
    tool_calls: z.array(chatCall).min(1).optional(),
    name: text.optional(),
  }),
  z.strictObject({ role: z.literal("tool"), content: textParts, tool_call_id: text, name: text.optional() }),
]);
const chatNamed = [
  z.strictObject({ type: z.literal("function"), function: z.strictObject({ name: text }) }),
  z.strictObject({ type: z.literal("custom"), custom: z.strictObject({ name: text }) }),
] as const;

/** True if every call's output follows the call. */
function hasNoOrphan(messages: readonly z.output<typeof chatMessage>[]): boolean {
  const calls = new Set<string>();
  return messages.every((message) => {
    if (message.role === "assistant") for (const { id } of message.tool_calls ?? []) calls.add(id);
    return message.role !== "tool" || calls.has(message.tool_call_id);
  });
}

export const StrictChatBody = z
  .strictObject({
    model: text,
    messages: z.array(chatMessage).min(1).refine(hasNoOrphan, "a tool message must follow its call"),
    stream: z.boolean(),
    stream_options: z
      .strictObject({ include_usage: z.boolean().optional(), include_obfuscation: z.boolean().optional() })
      .optional(),
    max_tokens: z.number().optional(),
    max_completion_tokens: z.number().optional(),
    temperature: z.number().optional(),
    top_p: z.number().optional(),
    frequency_penalty: z.number().optional(),
    presence_penalty: z.number().optional(),
    logit_bias: z.record(text, z.number()).optional(),
    logprobs: z.boolean().optional(),
    top_logprobs: z.number().optional(),
    n: z.number().optional(),
    seed: z.number().optional(),
    stop: z.union([text, z.array(text)]).optional(),
    user: text.optional(),
    safety_identifier: text.optional(),
    metadata: metadata.optional(),
    store: z.boolean().optional(),
    prompt_cache_key: text.optional(),
    prompt_cache_retention: text.optional(),
    service_tier: tier.optional(),
    reasoning_effort: effort.optional(),
    verbosity: z.enum(["low", "medium", "high"]).optional(),
    parallel_tool_calls: z.boolean().optional(),
    response_format: z
      .discriminatedUnion("type", [
        z.strictObject({ type: z.literal("text") }),
        z.strictObject({ type: z.literal("json_object") }),
        z.strictObject({
          type: z.literal("json_schema"),
          json_schema: z.strictObject({
            name: text,
            description: text.optional(),
            schema: z.record(text, z.unknown()),
            strict: z.boolean().optional(),
          }),
        }),
      ])
      .optional(),
    tools: z
      .array(
        z.discriminatedUnion("type", [
          z.strictObject({ type: z.literal("function"), function: z.strictObject(functionShape) }),
          z.strictObject({
            type: z.literal("custom"),
            custom: z.strictObject({
              name: text.max(64),
              description: text.optional(),
              format: z
                .discriminatedUnion("type", [
                  z.strictObject({ type: z.literal("text") }),
                  z.strictObject({ type: z.literal("grammar"), grammar: z.strictObject(grammar) }),
                ])
                .optional(),
            }),
          }),
        ]),
      )
      .min(1)
      .optional(),
    tool_choice: z
      .union([
        z.enum(["auto", "none", "required"]),
        z.discriminatedUnion("type", [
          ...chatNamed,
          z.strictObject({
            type: z.literal("allowed_tools"),
            allowed_tools: z.strictObject({
              mode: z.enum(["auto", "required"]),
              tools: z.array(z.discriminatedUnion("type", chatNamed)),
            }),
          }),
        ]),
      ])
      .optional(),
    web_search_options: z
      .strictObject({
        search_context_size: contextSize,
        user_location: z
          .strictObject({ type: z.literal("approximate"), approximate: z.strictObject(location) })
          .optional(),
      })
      .optional(),
  })
  .refine(
    ({ logprobs, top_logprobs }) => top_logprobs === undefined || logprobs === true,
    "top_logprobs needs logprobs",
  )
  .refine(({ tools, parallel_tool_calls }) => parallel_tool_calls === undefined || tools !== undefined, "needs tools");

const responsesPart = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("input_text"), text }),
  z.strictObject({
    type: z.literal("input_image"),
    image_url: text.nullish(),
    file_id: text.nullish(),
    detail: z.enum(["auto", "low", "high"]).optional(),
  }),
  z.strictObject({
    type: z.literal("input_file"),
    filename: text.optional(),
    file_data: text.optional(),
    file_id: text.optional(),
    file_url: text.optional(),
  }),
  z.strictObject({
    type: z.literal("input_audio"),
    input_audio: z.strictObject({ data: text, format: z.enum(["mp3", "wav"]) }),
  }),
]);
const answeredPart = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("output_text"),
    text,
    annotations: z.array(z.unknown()).optional(),
    logprobs: z.array(z.unknown()).optional(),
  }),
  z.strictObject({ type: z.literal("refusal"), refusal: text }),
]);
const status = z.enum(["in_progress", "completed", "incomplete"]).optional();
const ofItem = (prefix: string) => ({ id: text.startsWith(prefix).optional(), status });
const summary = z.array(z.strictObject({ type: z.literal("summary_text"), text }));
const output = z.union([text, z.array(responsesPart)]);
const ofMessage = { type: z.literal("message").optional(), ...ofItem("msg_") };
const responsesItem = z.union([
  z.strictObject({ ...ofMessage, role: z.enum(["user", "system", "developer"]), content: output }),
  z.strictObject({
    ...ofMessage,
    role: z.literal("assistant"),
    content: z.union([text, z.array(answeredPart)]),
    phase: z.enum(["commentary", "final_answer"]).optional(),
  }),
  z.strictObject({
    ...ofItem("fc_"),
    type: z.literal("function_call"),
    call_id: text,
    name: text,
    namespace: text.optional(),
    arguments: text,
  }),
  z.strictObject({ ...ofItem("fc"), type: z.literal("function_call_output"), call_id: text, output }),
  z.strictObject({ ...ofItem("ctc_"), type: z.literal("custom_tool_call"), call_id: text, name: text, input: text }),
  z.strictObject({ ...ofItem("ctc"), type: z.literal("custom_tool_call_output"), call_id: text, output }),
  z.strictObject({
    type: z.literal("reasoning"),
    id: text,
    status,
    summary,
    content: z.array(z.strictObject({ type: z.literal("reasoning_text"), text })).nullish(),
    encrypted_content: text,
  }),
]);
const functionTool = z.strictObject({
  type: z.literal("function"),
  ...functionShape,
  parameters: z.record(text, z.unknown()).nullable(),
  strict: z.boolean().nullish(),
});
const responsesNamed = z.strictObject({ type: z.enum(["function", "custom"]), name: text });

export const StrictResponsesBody = z.strictObject({
  model: text,
  input: z.union([text, z.array(responsesItem)]),
  instructions: text.optional(),
  stream: z.boolean(),
  stream_options: z.strictObject({ include_obfuscation: z.boolean().optional() }).optional(),
  store: z.literal(false),
  max_output_tokens: z.number().optional(),
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  top_logprobs: z.number().optional(),
  include: z.array(text).optional(),
  user: text.optional(),
  client_metadata: metadata.optional(),
  safety_identifier: text.optional(),
  metadata: metadata.optional(),
  prompt_cache_key: text.optional(),
  prompt_cache_retention: text.optional(),
  service_tier: tier.optional(),
  reasoning: z
    .strictObject({ effort: effort.optional(), summary: z.enum(["auto", "concise", "detailed"]).optional() })
    .optional(),
  parallel_tool_calls: z.boolean().optional(),
  text: z
    .strictObject({
      verbosity: z.enum(["low", "medium", "high"]).optional(),
      format: z
        .discriminatedUnion("type", [
          z.strictObject({ type: z.literal("text") }),
          z.strictObject({ type: z.literal("json_object") }),
          z.strictObject({
            type: z.literal("json_schema"),
            name: text,
            description: text.optional(),
            schema: z.record(text, z.unknown()),
            strict: z.boolean().optional(),
          }),
        ])
        .optional(),
    })
    .optional(),
  tools: z
    .array(
      z.discriminatedUnion("type", [
        functionTool,
        z.strictObject({ type: z.literal("namespace"), name: text, description: text, tools: z.array(functionTool) }),
        z.strictObject({
          type: z.literal("custom"),
          name: text,
          description: text.optional(),
          format: z
            .discriminatedUnion("type", [
              z.strictObject({ type: z.literal("text") }),
              z.strictObject({ type: z.literal("grammar"), ...grammar }),
            ])
            .optional(),
        }),
        z.strictObject({
          type: z.literal("web_search"),
          external_web_access: z.boolean().optional(),
          search_context_size: contextSize,
          user_location: z.strictObject({ type: z.literal("approximate"), ...location }).optional(),
        }),
      ]),
    )
    .optional(),
  tool_choice: z
    .union([
      z.enum(["auto", "none", "required"]),
      responsesNamed,
      z.strictObject({
        type: z.literal("allowed_tools"),
        mode: z.enum(["auto", "required"]),
        tools: z.array(responsesNamed),
      }),
    ])
    .optional(),
});

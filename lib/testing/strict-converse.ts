import { z } from "zod";

/** Request bodies as Amazon Bedrock's public API reference describes Converse: an unknown field anywhere is an error. */

const text = z.string();
const json = z.record(text, z.unknown());
const base64 = z.base64().min(1);
const source = z.union([
  z.strictObject({ bytes: base64 }),
  z.strictObject({ s3Location: z.strictObject({ uri: text.regex(/^s3:\/\//), bucketOwner: text.optional() }) }),
]);
const textBlock = z.strictObject({ text: text.regex(/\S/, "must not be blank") });
const cachePoint = z.strictObject({
  cachePoint: z.strictObject({ type: z.literal("default"), ttl: z.enum(["5m", "1h"]).optional() }),
});
const image = z.strictObject({ image: z.strictObject({ format: z.enum(["png", "jpeg", "gif", "webp"]), source }) });
const video = z.strictObject({
  video: z.strictObject({
    format: z.enum(["mkv", "mov", "mp4", "webm", "flv", "mpeg", "mpg", "wmv", "three_gp"]),
    source,
  }),
});
const document = z.strictObject({
  document: z.strictObject({
    format: z.enum(["pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md"]),
    name: text
      .min(1)
      .max(200)
      .regex(/^[A-Za-z0-9()[\]-]+(?: [A-Za-z0-9()[\]-]+)*$/),
    source,
  }),
});
const toolUseId = text.regex(/^[A-Za-z0-9_-]{1,64}$/);
const toolName = text.regex(/^[A-Za-z0-9_-]{1,64}$/);
const toolUse = z.strictObject({ toolUse: z.strictObject({ toolUseId, name: toolName, input: json }) });
const toolResult = z.strictObject({
  toolResult: z.strictObject({
    toolUseId,
    content: z.array(z.union([textBlock, image, document, z.strictObject({ json: z.unknown() })])),
    status: z.enum(["success", "error"]).optional(),
  }),
});
const reasoning = z.strictObject({
  reasoningContent: z.union([
    z.strictObject({ reasoningText: z.strictObject({ text, signature: text.optional() }) }),
    z.strictObject({ redactedContent: base64 }),
  ]),
});
const message = z.discriminatedUnion("role", [
  z.strictObject({
    role: z.literal("user"),
    content: z.array(z.union([textBlock, image, video, document, toolResult, cachePoint])).min(1),
  }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.array(z.union([textBlock, toolUse, reasoning, cachePoint])).min(1),
  }),
]);
type Message = z.output<typeof message>;

const toolSpec = z.strictObject({
  name: toolName,
  description: text.min(1).optional(),
  inputSchema: z.strictObject({ json }),
  strict: z.boolean().optional(),
});

const blocksOf = ({ content }: Message): object[] => content;
const alternate = (messages: readonly Message[]): boolean =>
  messages.every(({ role }, index) => role === (index % 2 === 0 ? "user" : "assistant"));
/** True if each call has a result in the next turn, and nothing else has one. */
const areCallsAnswered = (messages: readonly Message[]): boolean =>
  messages.every((turn, index) => {
    const calls = blocksOf(messages[index - 1] ?? turn).flatMap((block) => ("toolUse" in block ? [block.toolUse] : []));
    const results = blocksOf(turn).flatMap((block) => ("toolResult" in block ? [block.toolResult] : []));
    const idsOf = (list: readonly unknown[]) => list.map((one) => (one as { toolUseId: string }).toolUseId).sort();
    return turn.role === "assistant" || idsOf(calls).join() === idsOf(results).join();
  });

export const StrictConverseBody = z
  .strictObject({
    messages: z
      .array(message)
      .min(1)
      .refine(alternate, "roles must alternate, beginning with the user")
      .refine(areCallsAnswered, "calls must be answered in the next turn"),
    system: z
      .array(z.union([textBlock, cachePoint]))
      .min(1)
      .optional(),
    inferenceConfig: z
      .strictObject({
        maxTokens: z.number().int().min(1).optional(),
        temperature: z.number().min(0).max(1).optional(),
        topP: z.number().min(0).max(1).optional(),
        stopSequences: z.array(text.min(1)).max(2500).optional(),
      })
      .optional(),
    toolConfig: z
      .strictObject({
        tools: z.array(z.union([z.strictObject({ toolSpec }), cachePoint])).min(1),
        toolChoice: z
          .union([
            z.strictObject({ auto: z.strictObject({}) }),
            z.strictObject({ any: z.strictObject({}) }),
            z.strictObject({ tool: z.strictObject({ name: toolName }) }),
          ])
          .optional(),
      })
      .optional(),
    additionalModelRequestFields: json.optional(),
    outputConfig: z
      .strictObject({
        textFormat: z.strictObject({
          type: z.literal("json_schema"),
          structure: z.strictObject({
            jsonSchema: z.strictObject({
              name: text.optional(),
              description: text.optional(),
              schema: text.refine((given) => typeof JSON.parse(given) === "object", "must be JSON"),
            }),
          }),
        }),
      })
      .optional(),
    serviceTier: z.strictObject({ type: z.enum(["priority", "default", "flex", "reserved"]) }).optional(),
  })
  .refine(
    ({ messages, toolConfig }) =>
      toolConfig !== undefined ||
      !messages.some((one) => blocksOf(one).some((block) => "toolUse" in block || "toolResult" in block)),
    "toolConfig is required with calls of tools",
  );

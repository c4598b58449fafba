import { z } from "zod";
import { kindsOf, openUnion } from "./open-union-contract";

const contentParts = [
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.looseObject({ type: z.literal("image_url"), image_url: z.looseObject({ url: z.string() }) }),
  z.looseObject({
    type: z.literal("input_audio"),
    input_audio: z.looseObject({ data: z.string(), format: z.string() }),
  }),
  z.looseObject({
    type: z.literal("file"),
    file: z.looseObject({ filename: z.string().optional(), file_data: z.string().optional() }),
  }),
] as const;
export const CHAT_CONTENT_PARTS = kindsOf("type", contentParts);

/** Content parts of chat completions. */
export const ChatContentPart = openUnion("type", contentParts);
export type ChatContentPart = z.output<typeof ChatContentPart>;

const content = z.union([z.string(), z.array(ChatContentPart)]);

const FunctionCall = z.looseObject({ name: z.string(), arguments: z.string() });
/** Some upstreams leave out the type. */
const FunctionToolCall = z.looseObject({
  id: z.string(),
  type: z.literal("function").optional(),
  function: FunctionCall,
});
export type FunctionToolCall = z.output<typeof FunctionToolCall>;
const CustomToolCall = z.looseObject({
  id: z.string(),
  type: z.literal("custom"),
  custom: z.looseObject({ name: z.string(), input: z.string() }),
});
export type CustomToolCall = z.output<typeof CustomToolCall>;

const toolCalls = [FunctionToolCall, CustomToolCall] as const;
export const TOOL_CALLS = kindsOf("type", toolCalls);
export const ToolCall = openUnion("type", toolCalls);
export type ToolCall = z.output<typeof ToolCall>;

export const ChatMessage = z
  .discriminatedUnion("role", [
    z.looseObject({ role: z.enum(["system", "developer", "user"]), content, name: z.string().optional() }),
    z.looseObject({
      role: z.literal("assistant"),
      content: content.nullish(),
      reasoning: z.string().nullish(),
      tool_calls: z.array(ToolCall).nullish(),
      function_call: FunctionCall.nullish(),
      audio: z.looseObject({ id: z.string() }).nullish(),
      refusal: z.string().nullish(),
    }),
    z.looseObject({ role: z.literal("tool"), content, tool_call_id: z.string() }),
    z.looseObject({ role: z.literal("function"), content: content.nullable(), name: z.string() }),
  ])
  .meta({ id: "ChatMessage" });
export type ChatMessage = z.output<typeof ChatMessage>;

import { z } from "zod";
import { kindsOf, openUnion } from "./open-union-contract";
import { openValue } from "./open-value-contract";
import { customTool, functionFields, serverTools } from "./server-tools-contract";

const record = z.record(z.string(), z.unknown());

export const FunctionTool = z.looseObject({ type: z.literal("function"), ...functionFields });
export type FunctionTool = z.output<typeof FunctionTool>;

const tools = [FunctionTool, customTool, ...serverTools] as const;
export const TOOLS = kindsOf("type", tools);
export const Tool = openUnion("type", tools).meta({ id: "Tool" });
export type Tool = z.output<typeof Tool>;

export const TOOL_MODES = ["auto", "none", "required"] as const;
export const ALLOWED_MODES = ["auto", "required"] as const;
const AllowedMode = openValue(ALLOWED_MODES);

/** The choice of a tool: a mode, or an object; hosted tools are chosen by their type alone. */
export const ToolChoice = z.union([
  z.enum(TOOL_MODES),
  openUnion("type", [
    z.looseObject({ type: z.literal("function"), name: z.string() }),
    z.looseObject({ type: z.literal("custom"), name: z.string() }),
    z.looseObject({ type: z.literal("allowed_tools"), mode: AllowedMode, tools: z.array(record) }),
  ]),
]);
export type ToolChoice = z.output<typeof ToolChoice>;

/** The name that other vendors give to `required`. */
const AnyTool = z.enum(["any"]).transform(() => "required" as const);
/** The choice of a tool in a request. */
export const RequestToolChoice = z.union([AnyTool, ToolChoice]);

/** A function definition as nested by chat completions. */
export const ChatFunctionTool = z.looseObject({ type: z.literal("function"), function: z.looseObject(functionFields) });
export type ChatFunctionTool = z.output<typeof ChatFunctionTool>;

/** A custom tool as nested by chat completions; Responses' flat shape passes, too. */
const ChatCustomTool = z.looseObject({
  type: z.literal("custom"),
  custom: z
    .looseObject({
      name: z.string(),
      description: z.string().nullish(),
      format: openUnion("type", [
        z.looseObject({ type: z.literal("text") }),
        z.looseObject({
          type: z.literal("grammar"),
          grammar: z.looseObject({ definition: z.string(), syntax: z.string() }),
        }),
      ]).nullish(),
    })
    .optional(),
});

export const ChatTool = openUnion("type", [ChatFunctionTool, ChatCustomTool, ...serverTools]).meta({ id: "ChatTool" });
export type ChatTool = z.output<typeof ChatTool>;

export const ChatToolChoice = z.union([
  AnyTool,
  openValue(TOOL_MODES),
  openUnion("type", [
    z.looseObject({ type: z.literal("function"), function: z.looseObject({ name: z.string() }) }),
    z.looseObject({ type: z.literal("custom"), custom: z.looseObject({ name: z.string() }) }),
    z.looseObject({
      type: z.literal("allowed_tools"),
      allowed_tools: z.looseObject({ mode: AllowedMode, tools: z.array(record) }),
    }),
  ]),
]);
export type ChatToolChoice = z.output<typeof ChatToolChoice>;

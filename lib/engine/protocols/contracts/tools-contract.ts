import { z } from "zod";
import { openUnion } from "./open-union-contract";
import { customTool, functionFields, serverTools } from "./server-tools-contract";

const record = z.record(z.string(), z.unknown());

export const FunctionTool = z.looseObject({ type: z.literal("function"), ...functionFields });
export type FunctionTool = z.output<typeof FunctionTool>;

export const Tool = openUnion("type", [FunctionTool, customTool, ...serverTools]).meta({ id: "Tool" });
export type Tool = z.output<typeof Tool>;

/** Hosted tools that a choice names by their type alone. */
const HOSTED_TOOLS = [
  "apply_patch",
  "code_interpreter",
  "computer_use_preview",
  "file_search",
  "image_generation",
  "shell",
  "web_search",
  "web_search_2025_08_26",
  "web_search_preview",
  "web_search_preview_2025_03_11",
] as const;

const ToolMode = z.enum(["auto", "none", "required"]);
const AllowedMode = z.enum(["auto", "required"]);

export const ToolChoice = z.union([
  ToolMode,
  z.discriminatedUnion("type", [
    z.looseObject({ type: z.literal("function"), name: z.string() }),
    z.looseObject({ type: z.literal("custom"), name: z.string() }),
    z.looseObject({ type: z.literal("mcp"), server_label: z.string() }),
    z.looseObject({ type: z.enum(HOSTED_TOOLS) }),
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
      format: z
        .union([
          z.looseObject({ type: z.literal("text") }),
          z.looseObject({
            type: z.literal("grammar"),
            grammar: z.looseObject({ definition: z.string(), syntax: z.string() }),
          }),
        ])
        .nullish(),
    })
    .optional(),
});

export const ChatTool = openUnion("type", [ChatFunctionTool, ChatCustomTool, ...serverTools]).meta({ id: "ChatTool" });
export type ChatTool = z.output<typeof ChatTool>;

export const ChatToolChoice = z.union([
  ToolMode,
  AnyTool,
  z.discriminatedUnion("type", [
    z.looseObject({ type: z.literal("function"), function: z.looseObject({ name: z.string() }) }),
    z.looseObject({ type: z.literal("custom"), custom: z.looseObject({ name: z.string() }) }),
    z.looseObject({
      type: z.literal("allowed_tools"),
      allowed_tools: z.looseObject({ mode: AllowedMode, tools: z.array(record) }),
    }),
  ]),
]);
export type ChatToolChoice = z.output<typeof ChatToolChoice>;

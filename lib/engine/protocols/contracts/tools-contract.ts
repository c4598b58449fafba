import { z } from "zod";
import { openUnion } from "./open-union-contract";
import { functionFields, serverTools } from "./server-tools-contract";

const record = z.record(z.string(), z.unknown());

export const FunctionTool = z.looseObject({ type: z.literal("function"), ...functionFields });
export type FunctionTool = z.output<typeof FunctionTool>;

export const Tool = openUnion("type", [FunctionTool, ...serverTools]).meta({ id: "Tool" });
export type Tool = z.output<typeof Tool>;

export const ToolChoice = z.union([
  z.enum(["auto", "none", "required"]),
  z.discriminatedUnion("type", [
    z.looseObject({ type: z.literal("function"), name: z.string() }),
    z.looseObject({ type: z.enum(["web_search_preview", "web_search_preview_2025_03_11"]) }),
    z.looseObject({ type: z.literal("allowed_tools"), mode: z.enum(["auto", "required"]), tools: z.array(record) }),
    z.looseObject({ type: z.literal("apply_patch") }),
    z.looseObject({ type: z.literal("shell") }),
  ]),
]);
export type ToolChoice = z.output<typeof ToolChoice>;

/** A function definition as nested by chat completions. */
export const ChatFunctionTool = z.looseObject({ type: z.literal("function"), function: z.looseObject(functionFields) });
export type ChatFunctionTool = z.output<typeof ChatFunctionTool>;

export const ChatTool = openUnion("type", [ChatFunctionTool, ...serverTools]).meta({ id: "ChatTool" });
export type ChatTool = z.output<typeof ChatTool>;

export const ChatToolChoice = z.union([
  z.enum(["auto", "none", "required"]),
  z.looseObject({ type: z.literal("function"), function: z.looseObject({ name: z.string() }) }),
]);
export type ChatToolChoice = z.output<typeof ChatToolChoice>;

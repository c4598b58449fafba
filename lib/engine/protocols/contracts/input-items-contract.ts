import { z } from "zod";
import { kindsOf, openUnion } from "./open-union-contract";
import { openValue } from "./open-value-contract";

export const IMAGE_DETAILS = ["auto", "high", "low", "original"] as const;
export const PHASES = ["commentary", "final_answer"] as const;
export const AUDIO_FORMATS = ["mp3", "wav"] as const;

const status = openValue(["in_progress", "completed", "incomplete"]).nullish();
const record = z.record(z.string(), z.unknown());
const id = z.string().nullish();
const patchStatus = openValue(["in_progress", "completed"]);

const InputText = z.looseObject({
  type: z.literal("input_text"),
  text: z.string(),
  prompt_cache_breakpoint: z.looseObject({ mode: z.literal("explicit") }).nullish(),
});
const InputImage = z.looseObject({
  type: z.literal("input_image"),
  detail: openValue(IMAGE_DETAILS).nullish(),
  image_url: z.string().nullish(),
});
const InputFile = z.looseObject({
  type: z.literal("input_file"),
  file_data: z.string().nullish(),
  file_id: id,
  file_url: z.string().nullish(),
  filename: z.string().nullish(),
});

/** A value of a variable of a stored prompt template. */
export const PromptVariable = z.union([z.string(), z.discriminatedUnion("type", [InputText, InputImage, InputFile])]);

const contentParts = [
  InputText,
  InputImage,
  InputFile,
  z.looseObject({
    type: z.literal("input_audio"),
    input_audio: z.looseObject({ data: z.string(), format: openValue(AUDIO_FORMATS) }),
  }),
  z.looseObject({ type: z.literal("input_video"), video_url: z.string() }),
  z.looseObject({ type: z.literal("output_text"), text: z.string() }),
  z.looseObject({ type: z.literal("refusal"), refusal: z.string() }),
] as const;
export const CONTENT_PARTS = kindsOf("type", contentParts);
export const ContentPart = openUnion("type", contentParts);
export type ContentPart = z.output<typeof ContentPart>;

const toolOutput = z.union([z.string(), z.array(ContentPart)]);

export const MessageItem = z.looseObject({
  type: z.literal("message").optional(),
  role: z.enum(["user", "system", "assistant", "developer"]),
  content: z.union([z.string(), z.array(ContentPart)]).nullish(),
  phase: openValue(PHASES).nullish(),
});
export type MessageItem = z.output<typeof MessageItem>;

export const ReasoningItem = z.looseObject({
  type: z.literal("reasoning"),
  id: z.string().optional(),
  summary: z.array(z.looseObject({ type: z.literal("summary_text"), text: z.string() })).nullish(),
  content: z.array(z.looseObject({ type: z.literal("reasoning_text"), text: z.string() })).nullish(),
  encrypted_content: z.string().nullish(),
  status,
});
export type ReasoningItem = z.output<typeof ReasoningItem>;

export const FunctionCallItem = z.looseObject({
  type: z.literal("function_call"),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
  id,
  status,
});
export type FunctionCallItem = z.output<typeof FunctionCallItem>;

export const FunctionCallOutputItem = z.looseObject({
  type: z.literal("function_call_output"),
  call_id: z.string(),
  output: toolOutput,
  id,
  status,
});
export type FunctionCallOutputItem = z.output<typeof FunctionCallOutputItem>;

const items = [
  MessageItem,
  ReasoningItem,
  FunctionCallItem,
  FunctionCallOutputItem,
  z.looseObject({ type: z.literal("custom_tool_call"), call_id: z.string(), name: z.string(), input: z.string() }),
  z.looseObject({ type: z.literal("custom_tool_call_output"), call_id: z.string(), output: toolOutput }),
  z.looseObject({ type: z.literal("apply_patch_call"), call_id: z.string(), operation: record, status: patchStatus }),
  z.looseObject({
    type: z.literal("apply_patch_call_output"),
    call_id: z.string(),
    status: openValue(["completed", "failed"]),
  }),
  z.looseObject({ type: z.literal("local_shell_call"), call_id: z.string(), id: z.string(), action: record, status }),
  z.looseObject({ type: z.literal("local_shell_call_output"), id: z.string(), output: z.string(), status }),
  z.looseObject({ type: z.literal("shell_call"), call_id: z.string(), action: record, id, status }),
  z.looseObject({ type: z.literal("shell_call_output"), call_id: z.string(), output: z.array(record), id, status }),
  z.looseObject({
    type: z.literal("mcp_list_tools"),
    id: z.string(),
    server_label: z.string(),
    tools: z.array(record),
  }),
  z.looseObject({
    type: z.literal("mcp_approval_request"),
    id: z.string(),
    server_label: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.looseObject({ type: z.literal("mcp_approval_response"), approval_request_id: z.string(), approve: z.boolean() }),
  z.looseObject({
    type: z.literal("mcp_call"),
    id: z.string(),
    server_label: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.looseObject({ type: z.literal("compaction"), encrypted_content: z.string() }),
  z.looseObject({ type: z.literal("item_reference"), id: z.string() }),
] as const;
export const INPUT_ITEMS = kindsOf("type", items);

/** Input items of Responses whose fields are documented; `type` may be left out on messages. */
export const InputItem = openUnion("type", items).meta({ id: "InputItem" });
export type InputItem = z.output<typeof InputItem>;

/** True for a reference to reasoning, which a model can do without: clients that expect it to be stored send no more of it. */
export const isReasoningReference = (item: InputItem): boolean =>
  item.type === "item_reference" && String(item["id"]).startsWith("rs_");

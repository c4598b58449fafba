import type { ChatContentPart, ChatMessage } from "../contracts/chat-messages-contract";
import { toReasoningItems } from "../answer-details";
import { asObject, asText } from "../broken-answer";
import { textOf } from "../message-text";
import type { ChatCompletionsBody, ResponsesBody } from "../../../gateway/contract";
import type { ContentPart, InputItem } from "../contracts/input-items-contract";
import type { ChatTool, ChatToolChoice, Tool, ToolChoice } from "../contracts/tools-contract";

/** Converts a chat completions body to the equivalent Responses body; fields without a counterpart are dropped. */
export function chatToResponses(body: ChatCompletionsBody): ResponsesBody {
  const {
    messages,
    max_tokens,
    max_completion_tokens,
    response_format,
    verbosity,
    reasoning,
    reasoning_effort,
    tools,
    tool_choice,
    ...rest
  } = body;
  const [first, ...others] = messages;
  const isInstruction = first?.role === "system" && others.length > 0;
  const format = toTextFormat(response_format);
  return {
    ...shared(rest),
    store: false,
    ...(isInstruction && { instructions: textOf(first.content) }),
    input: (isInstruction ? others : messages).flatMap(toItems),
    max_output_tokens: max_completion_tokens ?? max_tokens,
    reasoning: reasoning_effort ? { effort: reasoning_effort, ...reasoning } : reasoning,
    ...((format ?? verbosity) && { text: { ...(format && { format }), ...(verbosity && { verbosity }) } }),
    tools: tools?.map(toResponsesTool),
    tool_choice: toResponsesToolChoice(tool_choice),
  };
}

/** Fields with the same name and meaning in both protocols. */
function shared({
  logit_bias: _l,
  logprobs: _lp,
  min_p: _m,
  prediction: _p,
  repetition_penalty: _r,
  seed: _s,
  stop: _st,
  stream_options: _so,
  top_a: _t,
  ...same
}: Omit<
  ChatCompletionsBody,
  | "messages"
  | "max_tokens"
  | "max_completion_tokens"
  | "response_format"
  | "verbosity"
  | "reasoning"
  | "reasoning_effort"
  | "tools"
  | "tool_choice"
>) {
  return same;
}

/** Converts a message's parts to separate items, in the order in which the model produced them. */
function toItems(message: ChatMessage): InputItem[] {
  switch (message.role) {
    case "tool":
      return [{ type: "function_call_output", call_id: message.tool_call_id, output: toContent(message.content) }];
    case "assistant": {
      const { content, refusal, tool_calls = [] } = message;
      const text = textOf(content);
      const parts: ContentPart[] = [
        ...(text === "" ? [] : [{ type: "output_text" as const, text }]),
        ...(refusal ? [{ type: "refusal" as const, refusal }] : []),
      ];
      return [
        ...toReasoningItems(message["reasoning_details"]),
        ...(parts.length > 0 ? [{ role: message.role, content: refusal ? parts : text }] : []),
        ...tool_calls.map(({ id, function: { name, arguments: args } }) => ({
          type: "function_call" as const,
          call_id: id,
          name,
          arguments: args,
        })),
      ];
    }
    case "system":
    case "developer":
    case "user":
      return [{ role: message.role, content: toContent(message.content) }];
  }
}

const toContent = (content: string | readonly ChatContentPart[]): string | ContentPart[] =>
  typeof content === "string" ? content : content.map(toPart);

function toPart(part: ChatContentPart): ContentPart {
  switch (part.type) {
    case "text":
      return { type: "input_text", text: String(part["text"]) };
    case "image_url": {
      const { url, detail } = asObject(part["image_url"]) ?? {};
      return { type: "input_image", image_url: asText(url), detail: (asText(detail) ?? "auto") as "auto" };
    }
    case "file": {
      const { filename, file_data, file_id } = asObject(part["file"]) ?? {};
      const isUrl = /^https?:/i.test(asText(file_data) ?? "");
      return {
        type: "input_file",
        ...(asText(filename) !== null && { filename: String(filename) }),
        ...(asText(file_data) !== null && { [isUrl ? "file_url" : "file_data"]: file_data }),
        ...(asText(file_id) !== null && { file_id: String(file_id) }),
      };
    }
    case "video_url":
      return { type: "input_video", video_url: asText(asObject(part["video_url"])?.["url"]) ?? "" };
    default:
      return part;
  }
}

function toTextFormat(format: ChatCompletionsBody["response_format"]): NonNullable<ResponsesBody["text"]>["format"] {
  if (!format) return undefined;
  if (format.type !== "json_schema") return { type: format.type as "text" | "json_object" };
  const { name, schema, ...rest } = asObject(format["json_schema"]) ?? {};
  return { type: "json_schema", name: asText(name) ?? "answer", schema: asObject(schema) ?? {}, ...rest };
}

/** Defaults `strict` explicitly: it is on by default in Responses and off in chat completions. */
function toResponsesTool(tool: ChatTool): Tool {
  if (tool.type !== "function") return tool;
  const { name, ...definition } = asObject(tool["function"]) ?? {};
  return { type: "function", name: String(name), parameters: null, strict: false, ...definition };
}

function toResponsesToolChoice(choice: ChatToolChoice | null | undefined): ToolChoice | undefined {
  if (typeof choice !== "object") return choice;
  return choice ? { type: "function", name: choice.function.name } : undefined;
}

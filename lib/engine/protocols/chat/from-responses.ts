import type { z } from "zod";
import type { ChatContentPart, ChatMessage } from "../contracts/chat-messages-contract";
import type { ChatCompletionsBody, ResponsesBody } from "../../../gateway/contract";
import type {
  ContentPart,
  FunctionCallItem,
  FunctionCallOutputItem,
  InputItem,
  MessageItem,
  ReasoningItem,
} from "../contracts/input-items-contract";
import type { TextFormat } from "../contracts/request-fields-contract";
import type { ChatTool, ChatToolChoice, FunctionTool, Tool, ToolChoice } from "../contracts/tools-contract";

/** Converts a Responses body to the equivalent chat completions body. */
export function responsesToChat(body: ResponsesBody): ChatCompletionsBody {
  const { input = "", instructions, max_output_tokens, text, tools, tool_choice, ...rest } = body;
  const items: InputItem[] = typeof input === "string" ? [{ role: "user", content: input }] : input;
  const system: ChatMessage[] = instructions ? [{ role: "system", content: instructions }] : [];
  return {
    ...shared(rest),
    messages: [...system, ...mergeTurns(items.flatMap(toMessages))],
    max_tokens: max_output_tokens,
    response_format: toResponseFormat(text?.format),
    verbosity: text?.verbosity,
    tools: tools?.map(toChatTool),
    tool_choice: toChatToolChoice(tool_choice),
  };
}

/** Fields with the same name and meaning in both protocols. */
function shared({
  background: _b,
  include: _i,
  max_tool_calls: _m,
  prompt: _p,
  safety_identifier: _s,
  store: _st,
  previous_response_id: _pr,
  truncation: _t,
  ...same
}: Omit<ResponsesBody, "input" | "instructions" | "max_output_tokens" | "text" | "tools" | "tool_choice">) {
  return same;
}

/**
 * Converts an item to messages: calls become assistant messages, outputs tool messages; types without a counterpart are
 * dropped.
 */
function toMessages(item: InputItem): ChatMessage[] {
  switch (item.type) {
    case undefined:
    case "message": {
      const { role, content } = item as MessageItem;
      return [{ role, content: toContent(content ?? "") }];
    }
    case "reasoning": {
      const { content, summary } = item as ReasoningItem;
      const reasoning = (content?.length ? content : (summary ?? [])).map(({ text }) => text).join("\n");
      return reasoning === "" ? [] : [{ role: "assistant", content: null, reasoning }];
    }
    case "function_call": {
      const { call_id, name, arguments: args } = item as FunctionCallItem;
      return [
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: call_id, type: "function", function: { name, arguments: args } }],
        },
      ];
    }
    case "function_call_output":
    case "custom_tool_call_output": {
      const { call_id, output } = item as FunctionCallOutputItem;
      return [{ role: "tool", tool_call_id: call_id, content: toContent(output) }];
    }
    default:
      return [];
  }
}

/** Merges reasoning, text and calls of one assistant turn into one message. */
function mergeTurns(messages: readonly ChatMessage[]): ChatMessage[] {
  const merged: ChatMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role !== "assistant" || message.role !== "assistant" || (last.content && message.content))
      merged.push(message);
    else {
      merged[merged.length - 1] = {
        ...last,
        ...message,
        content: message.content ?? last.content,
        reasoning: message.reasoning ?? last.reasoning,
        tool_calls:
          last.tool_calls || message.tool_calls
            ? [...(last.tool_calls ?? []), ...(message.tool_calls ?? [])]
            : undefined,
      };
    }
  }
  return merged;
}

function toContent(content: string | readonly ContentPart[]): string | ChatContentPart[] {
  if (typeof content === "string") return content;
  const parts = content.map(toPart);
  return parts.every(({ type }) => type === "text") ? parts.map((part) => part["text"]).join("\n") : parts;
}

function toPart(part: ContentPart): ChatContentPart {
  switch (part.type) {
    case "input_text":
    case "output_text":
      return { type: "text", text: part.text };
    case "refusal":
      return { type: "text", text: part.refusal };
    case "input_image":
      return { type: "image_url", image_url: { url: part["image_url"] ?? "", detail: part["detail"] } };
    case "input_video":
      return { type: "video_url", video_url: { url: part["video_url"] } };
    case "input_file":
      return {
        type: "file",
        file: {
          filename: part["filename"],
          file_data: part["file_data"] ?? part["file_url"],
          file_id: part["file_id"],
        },
      };
    default:
      return part;
  }
}

function toResponseFormat(format: z.output<typeof TextFormat> | undefined): ChatCompletionsBody["response_format"] {
  if (format?.type !== "json_schema") return format;
  const { type, ...json_schema } = format;
  return { type, json_schema };
}

function toChatTool(tool: Tool): ChatTool {
  if (tool.type !== "function") return tool;
  const { type, ...definition } = tool as FunctionTool;
  return { type, function: definition };
}

function toChatToolChoice(choice: ToolChoice | undefined): ChatToolChoice | undefined {
  if (choice === undefined || typeof choice === "string") return choice;
  if (choice.type === "function") return { type: "function", function: { name: choice.name } };
  return choice.type === "allowed_tools" ? choice.mode : "auto";
}

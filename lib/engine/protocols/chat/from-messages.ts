import type { ChatContentPart, ChatMessage, ToolCall } from "../contracts/chat-messages-contract";
import type { DocumentBlock, ImageBlock, MessagesBlock, ToolResultBlock } from "../contracts/messages-blocks-contract";
import type { MessagesBody, MessagesMessage } from "../contracts/messages-request-contract";
import type { MessagesTool, MessagesToolChoice } from "../contracts/messages-tools-contract";
import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";
import {
  carried,
  convertFields,
  drop,
  dropOthers,
  dropped,
  mapped,
  ours,
  refused,
  refuseOthers,
  type Conversion,
  type FieldPath,
  type FieldRules,
  type Refuse,
  UNLESS_CHAT,
} from "../field-rules";
import { foreignReasoning } from "../messages/sealed-thinking";
import { THINKING_FORMAT } from "../messages/thinking-details";
import { effortOfBudget } from "../reasoning-effort";
import { OWN_FIELDS } from "../same-protocol";
import { toChatTools, toChatToolChoice } from "./tools-from-messages";

const VENDOR = "needs a Messages upstream";

/** Conversion of each field of a Messages request for a Chat Completions upstream. */
export const MESSAGES_TO_CHAT: FieldRules = {
  ...OWN_FIELDS,
  cache_control: ours("a hint about caching"),
  container: refused(VENDOR),
  context_management: mapped(
    "clearing of earlier thinking is left out; other edits are dropped",
    (value, _draft, _body, refuse) => {
      for (const [index, { type }] of asObjects((value as JsonObject)["edits"]).entries())
        if (!String(type).startsWith("clear_thinking_")) drop(["context_management", "edits", index], refuse);
      dropOthers(value as JsonObject, CONTEXT, ["context_management"], refuse);
    },
  ),
  inference_geo: refused(VENDOR),
  max_tokens: { is: "carried", note: "as `max_completion_tokens` if only that is supported" },
  mcp_servers: refused(VENDOR),
  messages: mapped(
    "`messages`; a tool's result becomes a message of role `tool`, whose images and documents follow in a message of the user",
    (value, draft, _body, refuse) => {
      const before = (draft["messages"] as ChatMessage[] | undefined) ?? [];
      draft["messages"] = [...before, ...chatMessages(value as MessagesMessage[], refuse)];
    },
  ),
  metadata: ours("recorded; `user_id` as the request's user"),
  output_config: mapped(
    "`effort` becomes `reasoning_effort`, `format` becomes `response_format`",
    (value, draft, _body, refuse) => {
      const { effort, format } = value as NonNullable<MessagesBody["output_config"]>;
      if (effort) draft["reasoning_effort"] = effort;
      if (format) toResponseFormat(format, ["output_config", "format"], draft, refuse);
      refuseOthers(value as JsonObject, OUTPUT, ["output_config"], refuse);
    },
  ),
  output_format: mapped("`response_format`", (value, draft, _body, refuse) =>
    toResponseFormat(value as JsonObject, ["output_format"], draft, refuse),
  ),
  service_tier: mapped(
    "`standard_only` becomes `default`; others than `auto` are dropped",
    (value, draft, _body, refuse) => {
      if (value === "standard_only") draft["service_tier"] = "default";
      else if (value !== "auto") drop(["service_tier"], refuse);
    },
  ),
  speed: dropped(undefined, "standard"),
  stop_sequences: mapped("`stop`", (value, draft) => {
    if ((value as string[]).length > 0) draft["stop"] = value;
  }),
  stream: carried,
  system: mapped("the first message, of role `system`", (value, draft, _body, refuse) => {
    const text = textsOf(value as string | MessagesBlock[], ["system"], refuse).join("\n");
    const after = (draft["messages"] as ChatMessage[] | undefined) ?? [];
    draft["messages"] = text === "" ? after : [{ role: "system", content: text }, ...after];
  }),
  temperature: carried,
  thinking: mapped(
    "`reasoning_effort`, if `output_config` names none: `none` if disabled; `low` up to 4,096 `budget_tokens`, `medium` up to 16,384 or without a budget, else `high`",
    (value, draft, { output_config }) => {
      if (!asObject(output_config)?.["effort"]) draft["reasoning_effort"] = effortOfThinking(value as Thinking);
    },
  ),
  thread: dropped("the history is sent whole"),
  tool_choice: mapped(
    "`tool_choice`; `disable_parallel_tool_use` becomes `parallel_tool_calls`",
    (value, draft, { tools }) => {
      if (!Array.isArray(tools) || tools.length === 0) return;
      draft["tool_choice"] = toChatToolChoice(value as MessagesToolChoice);
      if ((value as JsonObject)["disable_parallel_tool_use"] === true) draft["parallel_tool_calls"] = false;
    },
  ),
  tools: mapped(
    "functions; tools that Anthropic defines are refused, a web search beside other tools is left out",
    (value, draft, { tool_choice }, refuse) => {
      const choice = asObject(tool_choice) as MessagesToolChoice | null;
      const tools = toChatTools(value as MessagesTool[], choice, refuse);
      if (tools.length > 0) draft["tools"] = tools;
    },
  ),
  top_k: dropped(),
  top_p: carried,
};

type Thinking = NonNullable<MessagesBody["thinking"]>;

const CONTEXT: ReadonlySet<string> = new Set(["edits"]);
const OUTPUT: ReadonlySet<string> = new Set(["effort", "format"]);

/** Converts a Messages request to the fields of chat completions. */
export const messagesToChat = (body: MessagesBody): Conversion => convertFields(MESSAGES_TO_CHAT, body);

const IGNORE: Refuse = () => undefined;

/** Returns the messages of a Messages request, in their order, with the instructions as the first. */
export function chatMessagesOfMessages({ system, messages }: Pick<MessagesBody, "system" | "messages">): ChatMessage[] {
  const text = system ? textsOf(system, [], IGNORE).join("\n") : "";
  const first: ChatMessage[] = text === "" ? [] : [{ role: "system", content: text }];
  return [...first, ...chatMessages(messages, IGNORE)];
}

function effortOfThinking({ type, budget_tokens: budget }: Thinking): string {
  if (type === "disabled") return "none";
  if (type !== "enabled" || !budget) return "medium";
  return effortOfBudget(budget);
}

const chatMessages = (messages: readonly MessagesMessage[], refuse: Refuse): ChatMessage[] =>
  messages.flatMap((message, index) => toMessages(message, ["messages", index], refuse));

const MESSAGE: ReadonlySet<string> = new Set(["role", "content"]);

function toMessages(message: MessagesMessage, path: FieldPath, refuse: Refuse): ChatMessage[] {
  const { role, content } = message;
  dropOthers(message, MESSAGE, path, refuse);
  const at = [...path, "content"];
  if (typeof content === "string") return [{ role, content }];
  if (role === "assistant") return [said(content, at, refuse)];
  if (role === "system") return [{ role, content: textsOf(content, at, refuse).join("\n") }];
  const results = content.flatMap((block, index) => (isResult(block) ? [{ block, path: [...at, index] }] : []));
  const tools = results.map(({ block, path: own }) => returned(block, own, refuse));
  const parts = [
    ...tools.flatMap(({ others }) => others),
    ...content.flatMap((block, index) => (isResult(block) ? [] : toParts(block, [...at, index], refuse))),
  ];
  return [
    ...tools.map(({ message: result }) => result),
    ...(parts.length > 0 || tools.length === 0 ? [{ role, content: joined(parts) }] : []),
  ];
}

const isResult = (block: MessagesBlock): block is ToolResultBlock => block.type === "tool_result";

/** Joins texts; other parts stay separate. */
const joined = (parts: readonly ChatContentPart[]): string | ChatContentPart[] =>
  parts.every(({ type }) => type === "text") ? parts.map((part) => part["text"]).join("\n") : [...parts];

/** Returns the texts of instructions. */
function textsOf(content: string | readonly MessagesBlock[], path: FieldPath, refuse: Refuse): string[] {
  if (typeof content === "string") return [content];
  return content.flatMap((block, index) => {
    if (block.type === "text") return textParts(block, [...path, index], refuse).map((part) => String(part["text"]));
    refuse([...path, index], `blocks of type \`${block.type}\` aren't supported in instructions`);
    return [];
  });
}

const RESULT: ReadonlySet<string> = new Set(["type", "tool_use_id", "content", "is_error"]);

/** Converts a tool's result: its text becomes a tool message, and its other parts a user message. */
function returned(
  block: ToolResultBlock,
  path: FieldPath,
  refuse: Refuse,
): { message: ChatMessage; others: ChatContentPart[] } {
  const { tool_use_id, content, is_error } = block;
  dropOthers(block, RESULT, path, refuse);
  const parts =
    typeof content === "string"
      ? [{ type: "text" as const, text: content }]
      : (content ?? []).flatMap((one, index) => toParts(one as MessagesBlock, [...path, "content", index], refuse));
  const text = parts.flatMap((part) => (part.type === "text" ? [String(part["text"])] : [])).join("\n");
  return {
    message: { role: "tool", tool_call_id: tool_use_id, content: is_error ? `Error: ${text}` : text },
    others: parts.filter(({ type }) => type !== "text"),
  };
}

const TEXT: ReadonlySet<string> = new Set(["type", "text", "citations"]);
const IMAGE: ReadonlySet<string> = new Set(["type", "source"]);
const DOCUMENT: ReadonlySet<string> = new Set(["type", "source", "title", "context", "citations"]);
const SEARCH_RESULT: ReadonlySet<string> = new Set(["type", "source", "title", "content", "citations"]);

function toParts(block: MessagesBlock, path: FieldPath, refuse: Refuse): ChatContentPart[] {
  switch (block.type) {
    case "text":
      return textParts(block, path, refuse);
    case "image":
      return imageParts(block as ImageBlock, path, refuse);
    case "document":
      return documentParts(block as DocumentBlock, path, refuse);
    case "search_result": {
      const { source, title, content } = block as JsonObject;
      dropOthers(block, SEARCH_RESULT, path, refuse);
      refuseCitations(block, path, refuse);
      const texts = asObjects(content).map(({ text }) => String(text));
      return [{ type: "text", text: [title, source, ...texts].join("\n") }];
    }
    case "tool_reference":
      return [{ type: "text", text: String(block["tool_name"]) }];
    default:
      refuse(path, `blocks of type \`${block.type}\` aren't supported`);
      return [];
  }
}

function textParts(block: MessagesBlock, path: FieldPath, refuse: Refuse): ChatContentPart[] {
  dropOthers(block, TEXT, path, refuse);
  return [{ type: "text", text: String(block["text"]) }];
}

function imageParts(block: ImageBlock, path: FieldPath, refuse: Refuse): ChatContentPart[] {
  dropOthers(block, IMAGE, path, refuse);
  const { type, media_type, data, url } = block.source as JsonObject;
  if (type === "base64") return [imagePart(`data:${String(media_type)};base64,${String(data)}`)];
  if (type === "url") return [imagePart(String(url))];
  refuse([...path, "source"], "an image needs its data or its URL");
  return [];
}

const imagePart = (url: string): ChatContentPart => ({ type: "image_url", image_url: { url } });

function documentParts(block: DocumentBlock, path: FieldPath, refuse: Refuse): ChatContentPart[] {
  const { title, context } = block;
  const { type, media_type, data, url, content } = block.source as JsonObject;
  const about = [title, context]
    .filter((text) => asText(text))
    .map((text): ChatContentPart => ({ type: "text", text: String(text) }));
  dropOthers(block, DOCUMENT, path, refuse);
  refuseCitations(block, path, refuse);
  if (type === "text") return [...about, { type: "text", text: String(data) }];
  if (type === "content") {
    const parts =
      typeof content === "string"
        ? [{ type: "text" as const, text: content }]
        : asObjects(content).flatMap((part, index) =>
            toParts(part as MessagesBlock, [...path, "source", "content", index], refuse),
          );
    return [...about, ...parts];
  }
  if (type === "base64") {
    const file = { filename: title ?? "document.pdf", file_data: `data:${String(media_type)};base64,${String(data)}` };
    return [...(context ? about.slice(-1) : []), { type: "file", file }];
  }
  if (type === "url") {
    refuse([...path, "source", "url"], "isn't supported: send the document's data", UNLESS_CHAT);
    const file = { ...(title && { filename: title }), file_data: String(url) };
    return [...(context ? about.slice(-1) : []), { type: "file", file }];
  }
  refuse([...path, "source"], "a document needs its data or its URL");
  return [];
}

/** Refuses citations, which change the answer and which only Messages upstreams support. */
function refuseCitations({ citations }: JsonObject, path: FieldPath, refuse: Refuse): void {
  if (asObject(citations)?.["enabled"] === true) refuse([...path, "citations"], VENDOR);
}

const CALL: ReadonlySet<string> = new Set(["type", "id", "name", "input", "caller"]);

/** True for calls of tools that the upstream ran, and their results, which the answer's text goes by. */
const isServerBlock = (type: string): boolean => type === "server_tool_use" || type.endsWith("_tool_result");

/** Converts an assistant's turn. Signed or encrypted reasoning is returned to its origin. */
function said(blocks: readonly MessagesBlock[], path: FieldPath, refuse: Refuse): ChatMessage {
  const texts: string[] = [];
  const thoughts: string[] = [];
  const calls: ToolCall[] = [];
  const details: JsonObject[] = [];
  for (const [index, block] of blocks.entries()) {
    const at = [...path, index];
    switch (block.type) {
      case "text":
        texts.push(...textParts(block, at, refuse).map((part) => String(part["text"])));
        break;
      case "thinking":
        if (block["thinking"] !== "") thoughts.push(String(block["thinking"]));
        if (asText(block["signature"])) {
          const { thinking: text, signature } = block as JsonObject;
          details.push({ type: "reasoning.text", text, signature, format: THINKING_FORMAT, index: details.length });
        }
        break;
      case "redacted_thinking": {
        const own = { type: "reasoning.encrypted", data: block["data"], format: THINKING_FORMAT };
        details.push({ ...(foreignReasoning(String(block["data"])) ?? own), index: details.length });
        break;
      }
      case "tool_use":
        dropOthers(block, CALL, at, refuse);
        calls.push({
          id: String(block["id"]),
          type: "function",
          function: { name: String(block["name"]), arguments: JSON.stringify(block["input"] ?? {}) },
        });
        break;
      default:
        if (isServerBlock(block.type)) drop(at, refuse);
        else refuse(at, `blocks of type \`${block.type}\` aren't supported in an assistant message`);
    }
  }
  const text = texts.join("\n");
  return {
    role: "assistant",
    content: text === "" && calls.length + thoughts.length > 0 ? null : text,
    ...(thoughts.length > 0 && { reasoning: thoughts.join("\n") }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function toResponseFormat(format: JsonObject, path: FieldPath, draft: JsonObject, refuse: Refuse): void {
  const { type, schema, ...rest } = format;
  if (type !== "json_schema") {
    refuse([...path, "type"], `\`${String(type)}\` isn't supported`);
    return;
  }
  dropOthers(rest, new Set(), path, refuse);
  draft["response_format"] = { type, json_schema: { name: "answer", schema: asObject(schema) ?? {}, strict: true } };
}

/** Returns where each message of the converted request comes from. */
export function messagesOrigins({ system, messages }: MessagesBody): FieldPath[] {
  const first = chatMessagesOfMessages({ system, messages: [] }).map((): FieldPath => ["system"]);
  return [
    ...first,
    ...messages.flatMap((message, index) => toMessages(message, [], IGNORE).map((): FieldPath => ["messages", index])),
  ];
}

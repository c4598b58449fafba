import type { z } from "zod";
import type { ChatContentPart, ChatMessage, ToolCall } from "../contracts/chat-messages-contract";
import type { ChatCompletionsBody } from "../contracts/chat-request-contract";
import type { ResponsesBody } from "../contracts/responses-request-contract";
import type {
  ContentPart,
  FunctionCallItem,
  FunctionCallOutputItem,
  InputItem,
  MessageItem,
  ReasoningItem,
} from "../contracts/input-items-contract";
import { isReasoningReference } from "../contracts/input-items-contract";
import type { TextFormat } from "../contracts/request-fields-contract";
import type { Tool, ToolChoice } from "../contracts/tools-contract";
import { asText, type JsonObject } from "../../../platform/json-values";
import { fromSeal } from "../messages/thinking-details";
import { mergeTurns } from "./merge-turns";
import {
  carried,
  convertFields,
  drop,
  dropOthers,
  dropped,
  leavingOut,
  mapped,
  ours,
  refused,
  refuseOthers,
  renamed,
  type Conversion,
  type FieldPath,
  type FieldRules,
  type Refuse,
  UNLESS_CHAT,
} from "../field-rules";
import { effortOf } from "../reasoning-effort";
import { namespacedName } from "../tool-names";
import { isWebSearch, toChatToolChoice, toChatTools } from "./tools-from-responses";
import { OWN_FIELDS } from "../same-protocol";

const SERVER_TOOLS = "bounds server tools, which such an upstream doesn't run";
const ANSWER_ONLY = "concerns items that a Chat Completions upstream doesn't return";

/** Conversion of each field of a Responses request for a Chat Completions upstream. */
export const RESPONSES_TO_CHAT: FieldRules = {
  ...OWN_FIELDS,
  background: ours("must be false"),
  cache_control: dropped("a hint about caching"),
  client_metadata: ours("describes the client to a Responses upstream"),
  conversation: ours("must be null"),
  frequency_penalty: carried,
  image_config: dropped(),
  include: mapped(`\`message.output_text.logprobs\` becomes \`logprobs\`; the rest ${ANSWER_ONLY}`, (value, draft) => {
    if ((value as string[]).includes("message.output_text.logprobs")) draft["logprobs"] = true;
  }),
  input: mapped(
    "`messages`; unsupported items are refused, calls of hosted tools dropped",
    (value, draft, _body, refuse) => {
      const before = (draft["messages"] as ChatMessage[] | undefined) ?? [];
      draft["messages"] = [...before, ...messagesOfInput(value as ResponsesBody["input"], refuse)];
    },
  ),
  instructions: mapped("the first message, of role `system`", (value, draft) => {
    const after = (draft["messages"] as ChatMessage[] | undefined) ?? [];
    draft["messages"] = value === "" ? after : [{ role: "system", content: value }, ...after];
  }),
  max_output_tokens: renamed("`max_tokens`, or `max_completion_tokens` if only that is supported", "max_tokens"),
  max_tool_calls: ours(SERVER_TOOLS),
  metadata: ours("recorded; sent only to endpoints known to support it"),
  modalities: mapped("only `text`", (value, _draft, _body, refuse) => {
    const write = (target: JsonObject) => {
      target["modalities"] = value;
    };
    if ((value as string[]).some((modality) => modality !== "text"))
      refuse(["modalities"], "only `text` is supported", { parameter: "modalities", write });
  }),
  parallel_tool_calls: mapped("sent with tools", (value, draft, { tools }) => {
    if (Array.isArray(tools) && tools.length > 0) draft["parallel_tool_calls"] = value;
  }),
  presence_penalty: carried,
  previous_response_id: ours("must be null"),
  prompt: refused("templates are stored at a Responses upstream"),
  prompt_cache_key: carried,
  prompt_cache_options: dropped("a hint about caching"),
  prompt_cache_retention: carried,
  reasoning: mapped(
    "`reasoning_effort`: `low` up to 4,096 `max_tokens`, `medium` up to 16,384 or for `enabled: true` alone, else `high`",
    (value, draft, _body, refuse) => writeReasoning(value as JsonObject, draft, refuse),
  ),
  safety_identifier: { is: "carried", note: "as a SHA-256" },
  service_tier: { is: "carried", note: "`fast` as `priority`" },
  stop_server_tools_when: dropped(SERVER_TOOLS),
  store: ours("always false"),
  stream: carried,
  stream_options: { is: "carried", note: "with `include_usage: true`" },
  temperature: carried,
  text: mapped("`response_format` and `verbosity`", (value, draft, _body, refuse) => {
    const { format, verbosity } = value as NonNullable<ResponsesBody["text"]>;
    if (format) draft["response_format"] = toResponseFormat(format);
    if (verbosity) draft["verbosity"] = verbosity;
    refuseOthers(value as JsonObject, TEXT, ["text"], refuse);
  }),
  tool_choice: mapped("hosted tools are refused", (value, draft, _body, refuse) => {
    const choice = toChatToolChoice(value as ToolChoice, refuse);
    if (choice !== undefined) draft["tool_choice"] = choice;
  }),
  tools: mapped(
    "functions and custom tools are nested, functions of a `namespace` get its name as a prefix; hosted tools are refused, a web search beside other tools is left out",
    (value, draft, { tool_choice }, refuse) => {
      const given = value as Tool[];
      const isOffer =
        ["auto", "none"].includes((tool_choice ?? "auto") as string) && !given.every(({ type }) => isWebSearch(type));
      const tools = given.flatMap((tool, index) =>
        toChatTools(tool, ["tools", index], isOffer && isWebSearch(tool.type) ? leavingOut(tool.type, refuse) : refuse),
      );
      if (tools.length > 0) draft["tools"] = tools;
    },
  ),
  top_k: dropped(),
  top_logprobs: mapped("with `logprobs: true`", (value, draft) => {
    if (value === 0) return;
    draft["logprobs"] = true;
    draft["top_logprobs"] = value;
  }),
  top_p: carried,
  truncation: dropped("a prompt that is too long fails", "disabled"),
  user: carried,
};

const TEXT: ReadonlySet<string> = new Set(["format", "verbosity"]);

/** Converts a Responses request to the fields of chat completions. */
export const responsesToChat = (body: ResponsesBody): Conversion =>
  convertFields(RESPONSES_TO_CHAT, { input: "", ...body });

const IGNORE: Refuse = () => undefined;

/** Converts the settings of a preset to those of chat completions; hosted tools keep their shape. */
export function settingsToChat({
  input: _i,
  instructions: _s,
  background: _b,
  client_metadata: _cm,
  conversation: _c,
  include: _in,
  max_tool_calls: _m,
  prompt: _p,
  store: _st,
  previous_response_id: _pr,
  truncation: _t,
  max_output_tokens,
  text,
  tools,
  tool_choice,
  ...same
}: ResponsesBody): Partial<ChatCompletionsBody> {
  return {
    ...same,
    ...(max_output_tokens !== undefined && { max_tokens: max_output_tokens }),
    ...(text?.format && { response_format: toResponseFormat(text.format) }),
    ...(text?.verbosity && { verbosity: text.verbosity }),
    ...(tools && {
      tools: tools.flatMap((tool) => {
        const converted = toChatTools(tool, [], IGNORE);
        return converted.length > 0 ? converted : [tool];
      }),
    }),
    ...(tool_choice !== undefined && { tool_choice: toChatToolChoice(tool_choice, IGNORE) }),
  };
}

/** Returns the messages of a Responses request, in the order of its items. */
export function chatMessagesOf({ input, instructions }: ResponsesBody): ChatMessage[] {
  const system: ChatMessage[] = instructions ? [{ role: "system", content: instructions }] : [];
  return [...system, ...messagesOfInput(input, IGNORE)];
}

function messagesOfInput(input: ResponsesBody["input"], refuse: Refuse): ChatMessage[] {
  if (input === undefined) return [];
  if (typeof input === "string") return [{ role: "user", content: input }];
  return mergeTurns(input.flatMap((item, index) => toMessages(item, ["input", index], refuse)));
}

const MESSAGE: ReadonlySet<string> = new Set(["type", "role", "content", "id", "status", "phase"]);
const CALL: ReadonlySet<string> = new Set([
  "type",
  "call_id",
  "name",
  "namespace",
  "arguments",
  "input",
  "id",
  "status",
]);
const OUTPUT: ReadonlySet<string> = new Set(["type", "call_id", "output", "id", "status"]);

/** Converts an item to messages: calls become assistant messages, outputs tool messages. */
export function toMessages(item: InputItem, path: FieldPath, refuse: Refuse): ChatMessage[] {
  switch (item.type) {
    case undefined:
    case "message": {
      const { role, content } = item as MessageItem;
      dropOthers(item, MESSAGE, path, refuse);
      return [
        role === "assistant"
          ? said(content ?? "", path, refuse)
          : { role, content: toContent(content ?? "", path, refuse) },
      ];
    }
    case "reasoning": {
      const { content, summary, encrypted_content } = item as ReasoningItem;
      const reasoning = (content?.length ? content : (summary ?? [])).map(({ text }) => text).join("\n");
      const reasoning_details = fromSeal(encrypted_content, reasoning);
      if (reasoning === "" && reasoning_details.length === 0) return [];
      const details = reasoning_details.length > 0 ? { reasoning_details } : {};
      return [{ role: "assistant", content: null, ...(reasoning !== "" && { reasoning }), ...details }];
    }
    case "function_call": {
      const { call_id, name, arguments: args, namespace } = item as FunctionCallItem;
      dropOthers(item, CALL, path, refuse);
      const calling = { name: namespacedName(asText(namespace), name), arguments: args };
      return [called({ id: call_id, type: "function", function: calling })];
    }
    case "custom_tool_call": {
      const { call_id, name, input, namespace } = item;
      dropOthers(item, CALL, path, refuse);
      const custom = { name: namespacedName(asText(namespace), String(name)), input: String(input) };
      return [called({ id: String(call_id), type: "custom", custom })];
    }
    case "function_call_output":
    case "custom_tool_call_output": {
      const { call_id, output } = item as FunctionCallOutputItem;
      dropOthers(item, OUTPUT, path, refuse);
      const content = toContent(output, path, refuse, "output");
      if (typeof content !== "string")
        refuse([...path, "output"], "must be text for a Chat Completions upstream", UNLESS_CHAT);
      return [{ role: "tool", tool_call_id: call_id, content }];
    }
    default:
      if (HOSTED_CALLS.has(item.type) || isReasoningReference(item)) drop(path, refuse);
      else refuse(path, `items of type \`${item.type}\` aren't supported`);
      return [];
  }
}

/** Calls of tools that an upstream ran, whose results are in the answer that follows. */
const HOSTED_CALLS: ReadonlySet<string> = new Set([
  "web_search_call",
  "file_search_call",
  "code_interpreter_call",
  "mcp_list_tools",
  "mcp_call",
]);

const called = (call: ToolCall): ChatMessage => ({ role: "assistant", content: null, tool_calls: [call] });

/** The assistant's message: text as content, refusals in their own field. */
function said(content: string | readonly ContentPart[], path: FieldPath, refuse: Refuse): ChatMessage {
  if (typeof content === "string") return { role: "assistant", content };
  const refusal = content.flatMap((part) => (part.type === "refusal" ? [part["refusal"]] : [])).join("\n");
  const rest = content.filter(({ type }) => type !== "refusal");
  return {
    role: "assistant",
    content: rest.length === 0 && refusal !== "" ? null : toContent(rest, path, refuse),
    ...(refusal !== "" && { refusal }),
  };
}

function toContent(
  content: string | readonly ContentPart[],
  path: FieldPath,
  refuse: Refuse,
  field = "content",
): string | ChatContentPart[] {
  if (typeof content === "string") return content;
  const parts = content.map((part, index) => toPart(part, [...path, field, index], refuse));
  return parts.every(({ type }) => type === "text") ? parts.map((part) => part["text"]).join("\n") : parts;
}

const PARTS: Readonly<Record<string, ReadonlySet<string>>> = {
  input_text: new Set(["type", "text"]),
  output_text: new Set(["type", "text", "annotations", "logprobs"]),
  input_image: new Set(["type", "image_url", "detail", "file_id"]),
  input_video: new Set(["type", "video_url"]),
  input_file: new Set(["type", "filename", "file_data", "file_id", "file_url", "detail"]),
  input_audio: new Set(["type", "input_audio"]),
};

function toPart(part: ContentPart, path: FieldPath, refuse: Refuse): ChatContentPart {
  const known = PARTS[part.type];
  if (known) dropOthers(part, known, path, refuse);
  switch (part.type) {
    case "input_text":
    case "output_text":
      return { type: "text", text: String(part["text"]) };
    case "refusal":
      return { type: "text", text: String(part["refusal"]) };
    case "input_image": {
      const url = asText(part["image_url"]);
      if (url === null) refuse([...path, "image_url"], "is required: an image can't be sent by its file id");
      return {
        type: "image_url",
        image_url: { url: url ?? "", ...(part["detail"] ? { detail: part["detail"] } : {}) },
      };
    }
    case "input_video":
      return { type: "video_url", video_url: { url: part["video_url"] } };
    case "input_file": {
      const { filename, file_data, file_id, file_url } = part as JsonObject;
      if (asText(file_url)) refuse([...path, "file_url"], "isn't supported: send the file's data", UNLESS_CHAT);
      return {
        type: "file",
        file: {
          ...(asText(filename) !== null && { filename: String(filename) }),
          ...((asText(file_data) ?? asText(file_url)) !== null && { file_data: asText(file_data) ?? String(file_url) }),
          ...(asText(file_id) !== null && { file_id }),
        },
      };
    }
    case "input_audio":
      return part;
    default:
      refuse(path, `parts of type \`${part.type}\` aren't supported`);
      return part;
  }
}

const REASONING: ReadonlySet<string> = new Set(["effort", "enabled", "max_tokens", "summary", "generate_summary"]);

/** Sends an effort as OpenAI's API names it, or the `reasoning` object to endpoints that support it. */
function writeReasoning(reasoning: JsonObject, draft: JsonObject, refuse: Refuse): void {
  const { enabled, max_tokens } = reasoning;
  const effort = effortOf(reasoning);
  if (effort !== null) draft["reasoning_effort"] = effort;
  const isMore = typeof max_tokens === "number" || (enabled === true && !reasoning["effort"]);
  const write = (target: JsonObject) => {
    delete target["reasoning_effort"];
    target["reasoning"] = reasoning;
  };
  if (isMore)
    drop(["reasoning", typeof max_tokens === "number" ? "max_tokens" : "enabled"], refuse, {
      parameter: "reasoning",
      write,
    });
  dropOthers(reasoning, REASONING, ["reasoning"], refuse);
}

function toResponseFormat(format: z.output<typeof TextFormat>): ChatCompletionsBody["response_format"] {
  if (format.type !== "json_schema") return format;
  const { type, ...json_schema } = format;
  return { type, json_schema };
}

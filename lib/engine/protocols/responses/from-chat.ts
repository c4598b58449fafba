import type { ChatContentPart, ChatMessage, ToolCall } from "../contracts/chat-messages-contract";
import { toReasoningItems } from "../response-details";
import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";
import { readTurns, type SaidBy } from "../chat/turns";
import { textOf } from "../message-text";
import type { ChatCompletionsBody } from "../contracts/chat-request-contract";
import type { ResponsesBody } from "../contracts/responses-request-contract";
import type { ContentPart, InputItem } from "../contracts/input-items-contract";
import type { ChatTool, ChatToolChoice, Tool, ToolChoice } from "../contracts/tools-contract";
import {
  carried,
  convertFields,
  drop,
  dropOthers,
  dropped,
  honoured,
  mapped,
  refused,
  refuseOthers,
  renamed,
  type Conversion,
  type FieldPath,
  type FieldRules,
  type Refuse,
} from "../field-rules";
import { effortOf } from "../reasoning-effort";
import { OWN_FIELDS } from "../same-protocol";

const FUNCTIONS = "use `tools`";
const HINT = "a hint about caching";

/** Conversion of each field of a Chat Completions request for a Responses upstream. */
export const CHAT_TO_RESPONSES: FieldRules = {
  ...OWN_FIELDS,
  audio: dropped("`modalities` ask for audio"),
  cache_control: dropped(HINT),
  frequency_penalty: dropped(undefined, 0),
  function_call: refused(FUNCTIONS),
  functions: refused(FUNCTIONS),
  image_config: dropped(),
  logit_bias: refused(),
  logprobs: mapped("`include: message.output_text.logprobs`", (value, draft) => {
    if (value === true) draft["include"] = ["message.output_text.logprobs"];
  }),
  max_completion_tokens: renamed("`max_output_tokens`", "max_output_tokens"),
  max_tokens: mapped("`max_output_tokens`", (value, draft, { max_completion_tokens }) => {
    draft["max_output_tokens"] = max_completion_tokens ?? value;
  }),
  messages: mapped(
    "`input`, and `instructions` for a leading system message; unsupported parts are refused",
    (value, draft, _body, refuse) => {
      Object.assign(draft, toInput(value as ChatMessage[], refuse));
    },
  ),
  metadata: carried,
  min_p: dropped(undefined, 0),
  modalities: mapped("only `text`", (value, draft, _body, refuse) => {
    const write = (target: JsonObject) => {
      target["modalities"] = value;
    };
    if ((value as string[]).some((modality) => modality !== "text"))
      refuse(["modalities"], "only `text` is supported", { parameter: "modalities", write });
  }),
  n: refused("only 1", 1),
  parallel_tool_calls: carried,
  prediction: dropped("a hint about speed"),
  presence_penalty: dropped(undefined, 0),
  prompt_cache_key: carried,
  prompt_cache_options: dropped(HINT),
  prompt_cache_retention: carried,
  reasoning: mapped(
    "`reasoning`, a number of tokens as an effort like that of Responses requests",
    (value, draft, _body, refuse) => writeReasoning(value as JsonObject, draft, refuse),
  ),
  reasoning_effort: mapped("`reasoning.effort`", (value, draft) => {
    draft["reasoning"] = { effort: value, ...asObject(draft["reasoning"]) };
  }),
  repetition_penalty: dropped(undefined, 1),
  response_format: mapped("`text.format`", (value, draft) => {
    draft["text"] = { ...asObject(draft["text"]), format: toTextFormat(value as JsonObject) };
  }),
  safety_identifier: { is: "carried", note: "as a SHA-256" },
  seed: dropped(),
  service_tier: { is: "carried", note: "`fast` as `priority`" },
  stop: honoured(
    "Signalbox cuts the text; what the model writes after it is billed",
    (value, _draft, _body, _refuse, honour) => {
      const sequences = [value].flat().filter((sequence): sequence is string => Boolean(sequence));
      if (sequences.length > 0) honour.stop = sequences;
    },
  ),
  stop_server_tools_when: mapped("dropped without hosted tools, else refused", (value, _draft, { tools }, refuse) => {
    const write = (target: JsonObject) => {
      target["stop_server_tools_when"] = value;
    };
    const isHosted = asObjects(tools).some(({ type }) => type !== "function" && type !== "custom");
    const unless = { parameter: "stop_server_tools_when", write };
    if (isHosted) refuse(["stop_server_tools_when"], "isn't supported with hosted tools", unless);
    else drop(["stop_server_tools_when"], refuse, unless);
  }),
  store: dropped("always false", false),
  stream: carried,
  stream_options: mapped("`include_usage` always applies", (value, draft, { stream }) => {
    const { include_usage: _, ...rest } = value as JsonObject;
    if (stream === true && Object.keys(rest).length > 0) draft["stream_options"] = rest;
  }),
  temperature: carried,
  tool_choice: mapped("flat", (value, draft, _body, refuse) => {
    draft["tool_choice"] = toResponsesToolChoice(value as ChatToolChoice, refuse);
  }),
  tools: mapped("flat; other than functions and custom tools unchanged", (value, draft, _body, refuse) => {
    const own = (value as ChatTool[]).map((tool, index) => toResponsesTool(tool, ["tools", index], refuse));
    draft["tools"] = [...own, ...asObjects(draft["tools"])];
  }),
  top_a: dropped(undefined, 0),
  top_k: dropped(),
  top_logprobs: carried,
  top_p: carried,
  user: carried,
  verbosity: mapped("`text.verbosity`", (value, draft) => {
    draft["text"] = { ...asObject(draft["text"]), verbosity: value };
  }),
  web_search_options: mapped("the tool `web_search`", (value, draft, _body, refuse) => {
    const { search_context_size, user_location, ...rest } = value as JsonObject;
    refuseOthers(rest, new Set(), ["web_search_options"], refuse);
    const { type, approximate } = asObject(user_location) ?? {};
    const tool = {
      type: "web_search",
      ...(asText(search_context_size) && { search_context_size }),
      ...(user_location ? { user_location: { type, ...asObject(approximate) } } : {}),
    };
    draft["tools"] = [...asObjects(draft["tools"]), tool];
  }),
};

/** Converts a Chat Completions request to the fields of Responses. */
export const chatToResponses = (body: ChatCompletionsBody): Conversion => convertFields(CHAT_TO_RESPONSES, body);

/** Converts messages; a leading system message becomes the instructions. */
function toInput(messages: readonly ChatMessage[], refuse: Refuse): Pick<ResponsesBody, "input" | "instructions"> {
  const [first, ...others] = messages;
  const isInstruction = first?.role === "system" && others.length > 0;
  const customCalls = new Set<string>();
  const toMessage = ({ role, content }: SaidBy<"system" | "user">, path: FieldPath): InputItem[] => [
    { role, content: toContent(content, path, refuse) },
  ];
  const turns = readTurns<InputItem>(
    messages,
    {
      system: (message, path) => (isInstruction && message === first ? [] : toMessage(message, path)),
      user: toMessage,
      assistant: (message, path) => toAnswer(message, path, customCalls, refuse),
      tool: ({ tool_call_id: call_id, content }, path) => {
        const type = customCalls.has(call_id) ? "custom_tool_call_output" : "function_call_output";
        return [{ type, call_id, output: toContent(content, path, refuse) }];
      },
    },
    refuse,
  );
  const input = turns.flatMap(({ items }) => items);
  return { ...(isInstruction && { instructions: textOf(first.content) }), input };
}

/** Converts an answer's parts to separate items, in the order in which the model produced them. */
function toAnswer(
  message: SaidBy<"assistant">,
  path: FieldPath,
  customCalls: Set<string>,
  refuse: Refuse,
): InputItem[] {
  const { role, content, refusal, tool_calls } = message;
  if (Array.isArray(content))
    for (const [index, { type }] of content.entries())
      if (type !== "text" && type !== "refusal")
        refuse([...path, "content", index], `parts of type \`${type}\` aren't supported in an assistant message`);
  const refusals = asObjects(content).flatMap((part) => asText(part["refusal"]) ?? []);
  const declined = [...(refusal ? [refusal] : []), ...refusals].join("\n");
  const text = textOf(content);
  const parts: ContentPart[] = [
    ...(text === "" ? [] : [{ type: "output_text" as const, text }]),
    ...(declined ? [{ type: "refusal" as const, refusal: declined }] : []),
  ];
  return [
    ...toReasoningItems(message["reasoning_details"]),
    ...(parts.length > 0 ? [{ role, content: declined ? parts : text }] : []),
    ...(tool_calls ?? []).flatMap((call, index) => toCall(call, [...path, "tool_calls", index], customCalls, refuse)),
  ];
}

const CALL: ReadonlySet<string> = new Set(["id", "type", "index", "function", "custom", "extra_content"]);

function toCall(call: ToolCall, path: FieldPath, customCalls: Set<string>, refuse: Refuse): InputItem[] {
  dropOthers(call, CALL, path, refuse);
  const { id, type = "function", function: called, custom } = call as JsonObject;
  const call_id = String(id);
  if (type === "function") {
    const { name, arguments: args } = asObject(called) ?? {};
    return [{ type, call_id, name: String(name), arguments: String(args) } as unknown as InputItem].map((item) => ({
      ...item,
      type: "function_call",
    }));
  }
  if (type === "custom") {
    customCalls.add(call_id);
    const { name, input } = asObject(custom) ?? {};
    return [{ type: "custom_tool_call", call_id, name: String(name), input: String(input) }];
  }
  refuse(path, `calls of type \`${String(type)}\` aren't supported`);
  return [];
}

const toContent = (
  content: string | readonly ChatContentPart[],
  path: FieldPath,
  refuse: Refuse,
): string | ContentPart[] =>
  typeof content === "string"
    ? content
    : content.map((part, index) => toPart(part, [...path, "content", index], refuse));

const PARTS: Readonly<Record<string, ReadonlySet<string>>> = {
  text: new Set(["type", "text"]),
  image_url: new Set(["type", "image_url"]),
  file: new Set(["type", "file"]),
  video_url: new Set(["type", "video_url"]),
  input_audio: new Set(["type", "input_audio"]),
};

function toPart(part: ChatContentPart, path: FieldPath, refuse: Refuse): ContentPart {
  const known = PARTS[part.type];
  if (known) dropOthers(part, known, path, refuse);
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
    case "input_audio":
      return part;
    default:
      refuse(path, `parts of type \`${part.type}\` aren't supported`);
      return part;
  }
}

const REASONING: ReadonlySet<string> = new Set(["effort", "enabled", "max_tokens", "summary"]);

function writeReasoning(reasoning: JsonObject, draft: JsonObject, refuse: Refuse): void {
  const { enabled, max_tokens, ...rest } = reasoning;
  const effort =
    enabled === false ? "none" : effortOf({ ...asObject(draft["reasoning"]), effort: rest["effort"], max_tokens });
  const converted = { ...asObject(draft["reasoning"]), ...rest, ...(effort !== null && { effort }) };
  if (Object.keys(converted).length > 0) draft["reasoning"] = converted;
  const write = (target: JsonObject) => {
    target["reasoning"] = { ...asObject(target["reasoning"]), ...reasoning };
  };
  if (typeof max_tokens === "number") drop(["reasoning", "max_tokens"], refuse, { parameter: "reasoning", write });
  dropOthers(reasoning, REASONING, ["reasoning"], refuse);
}

function toTextFormat(format: JsonObject): NonNullable<ResponsesBody["text"]>["format"] {
  if (format["type"] !== "json_schema") return format as { type: "text" };
  const { name, schema, ...rest } = asObject(format["json_schema"]) ?? {};
  return { type: "json_schema", name: asText(name) ?? "answer", schema: asObject(schema) ?? {}, ...rest };
}

/** Defaults `strict` explicitly: it is on by default in Responses and off in chat completions. */
function toResponsesTool(tool: ChatTool, path: FieldPath, refuse: Refuse): Tool {
  const nested = asObject(tool[tool.type]);
  if ((tool.type !== "function" && tool.type !== "custom") || !nested) return tool;
  dropOthers(tool, new Set(["type", tool.type]), path, refuse);
  if (tool.type === "function") {
    const { name, ...definition } = nested;
    return { type: "function", name: String(name), parameters: null, strict: false, ...definition };
  }
  const { format, ...definition } = nested;
  const { grammar } = asObject(format) ?? {};
  return {
    type: "custom",
    ...definition,
    ...(format ? { format: grammar ? { type: "grammar", ...asObject(grammar) } : format } : {}),
  };
}

function toResponsesToolChoice(choice: ChatToolChoice, refuse: Refuse): ToolChoice {
  if (typeof choice === "string") return choice as ToolChoice;
  const { type, allowed_tools } = choice as JsonObject;
  if (type === "allowed_tools") {
    const { mode, tools } = asObject(allowed_tools) ?? {};
    return { type, mode: String(mode), tools: asObjects(tools).map(flat) };
  }
  if (type !== "function" && type !== "custom") refuse(["tool_choice"], `\`${String(type)}\` isn't supported`);
  return flat(choice) as ToolChoice;
}

/** A reference to a tool without the nesting of chat completions. */
const flat = (reference: JsonObject): JsonObject => {
  const { type } = reference;
  return { type, ...asObject(reference[String(type)]) };
};

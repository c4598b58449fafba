import type { ChatCompletionsBody } from "../contracts/chat-request-contract";
import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";
import type { ChatMessage } from "../contracts/chat-messages-contract";
import type { ChatTool, ChatToolChoice } from "../contracts/tools-contract";
import {
  convertFields,
  drop,
  dropOthers,
  dropped,
  honoured,
  mapped,
  ours,
  refused,
  type Conversion,
  type Draft,
  type FieldPath,
  type FieldRules,
  type Refuse,
} from "../field-rules";
import { withoutCustomTools } from "../chat/custom-tools";
import type { Honour } from "../honour";
import { JSON_INSTRUCTION, NO_CALL_INSTRUCTION } from "../instructions";
import { OWN_FIELDS } from "../same-protocol";
import { cachePointOf, toConversation } from "./messages-from-chat";

const FUNCTIONS = "use `tools`";
const HINT = "a hint about caching, which Bedrock takes at cache points";

/** Adds fields to an object of the draft, which other fields share. */
const into = (draft: Draft, name: string, fields: JsonObject): void => {
  draft[name] = { ...asObject(draft[name]), ...fields };
};
const inference = (name: string) =>
  mapped(`\`inferenceConfig.${name}\``, (value, draft) => into(draft, "inferenceConfig", { [name]: value }));

/** Conversion of each field of a Chat Completions request for a Converse upstream. */
export const CHAT_TO_CONVERSE: FieldRules = {
  ...OWN_FIELDS,
  audio: dropped("`modalities` ask for audio"),
  cache_control: dropped("only on parts of messages and tools"),
  frequency_penalty: dropped(undefined, 0),
  function_call: refused(FUNCTIONS),
  functions: refused(FUNCTIONS),
  image_config: dropped(),
  logit_bias: refused(),
  logprobs: refused("only false", false),
  max_completion_tokens: inference("maxTokens"),
  max_tokens: mapped("`inferenceConfig.maxTokens`", (value, draft, { max_completion_tokens }) =>
    into(draft, "inferenceConfig", { maxTokens: max_completion_tokens ?? value }),
  ),
  messages: mapped(
    "`messages` in turns, and `system` for leading system messages; later ones are sent in place, as the user's; unsupported parts are refused",
    (value, draft, _body, refuse) => {
      Object.assign(draft, toConversation(value as ChatMessage[], refuse));
    },
  ),
  metadata: ours("recorded"),
  min_p: dropped(undefined, 0),
  modalities: mapped("only `text`", (value, _draft, _body, refuse) => {
    if ((value as string[]).some((modality) => modality !== "text")) refuse(["modalities"], "only `text` is supported");
  }),
  n: refused("only 1", 1),
  parallel_tool_calls: honoured("if false, Signalbox keeps one call", (value, _draft, _body, _refuse, honour) => {
    if (value === false) honour.calls = 1;
  }),
  prediction: dropped("a hint about speed"),
  presence_penalty: dropped(undefined, 0),
  prompt_cache_key: ours(HINT),
  prompt_cache_options: ours(HINT),
  prompt_cache_retention: ours(HINT),
  reasoning: mapped(
    "`thinking` for Claude, with an effort as tokens; `reasoning_effort` for other models, with tokens as an effort",
    (value, draft, _body, refuse) => {
      const { effort, max_tokens, enabled, summary: _, ...rest } = value as JsonObject;
      dropOthers(rest, new Set(), ["reasoning"], refuse);
      const given = enabled === false ? "none" : (effort ?? (enabled === true ? "medium" : undefined));
      if ((given ?? max_tokens ?? null) !== null)
        into(draft, "reasoning", {
          ...((given ?? null) !== null && { effort: given }),
          ...((max_tokens ?? null) !== null && { max_tokens }),
        });
    },
  ),
  reasoning_effort: mapped("like `reasoning.effort`", (value, draft) => {
    draft["reasoning"] = { effort: value, ...asObject(draft["reasoning"]) };
  }),
  repetition_penalty: dropped(undefined, 1),
  response_format: mapped(
    "`outputConfig.textFormat`; `json_object` is requested in `system`, and checked",
    (value, draft, _body, refuse, honour) => {
      const { type, json_schema } = value as JsonObject;
      if (type === "json_schema") draft["outputConfig"] = { textFormat: toTextFormat(asObject(json_schema) ?? {}) };
      else if (type === "json_object") honour.isJsonObject = true;
      else if (type !== "text") refuse(["response_format"], `\`${String(type)}\` isn't supported`);
    },
  ),
  safety_identifier: ours("recorded"),
  seed: dropped(),
  service_tier: mapped("`serviceTier`; `scale` is dropped", (value, draft, _body, refuse) => {
    if (value === "scale") drop(["service_tier"], refuse);
    else if (value === "flex" || value === "priority" || value === "fast")
      draft["serviceTier"] = { type: value === "flex" ? "flex" : "priority" };
  }),
  stop: mapped("`inferenceConfig.stopSequences`", (value, draft) => {
    const texts = [value].flat().filter((text) => text !== "");
    if (texts.length > 0) into(draft, "inferenceConfig", { stopSequences: texts });
  }),
  stop_server_tools_when: dropped("bounds hosted tools"),
  store: dropped("always false", false),
  stream: ours("decides the operation: Converse or ConverseStream"),
  stream_options: ours("every stream reports usage"),
  temperature: inference("temperature"),
  tool_choice: mapped(
    "`toolConfig.toolChoice`; with `none`, tools are left out; with `allowed_tools`, the others",
    (value, draft, { tools }, refuse) => {
      const choice = toToolChoice(value as ChatToolChoice, refuse);
      if (choice && Array.isArray(tools) && tools.length > 0) into(draft, "toolConfig", { toolChoice: choice });
    },
  ),
  tools: mapped(
    "functions as `toolConfig.tools`, also for custom tools, with one string; other tools are refused",
    (value, draft, _body, refuse) => {
      const tools = (value as ChatTool[]).flatMap((tool, index) => toTool(tool, ["tools", index], refuse));
      if (tools.length > 0) into(draft, "toolConfig", { tools });
    },
  ),
  top_a: dropped(undefined, 0),
  top_k: mapped("`additionalModelRequestFields.top_k`", (value, draft) =>
    into(draft, "additionalModelRequestFields", { top_k: value }),
  ),
  top_logprobs: dropped("needs `logprobs`", 0),
  top_p: inference("topP"),
  user: ours("recorded"),
  verbosity: dropped(undefined, "medium"),
  web_search_options: refused(),
};

/** Converts a Chat Completions request to Converse. Refused fields that an endpoint is known to support are sent as fields of its model. */
export function chatToConverse(given: ChatCompletionsBody): Conversion {
  const { body, customTools } = withoutCustomTools(given) ?? { body: given, customTools: null };
  const { draft, refused: refusals, honour } = convertFields(CHAT_TO_CONVERSE, body);
  writeToolConfig(draft, body.tool_choice, honour);
  if (honour.isJsonObject) instruct(draft, JSON_INSTRUCTION);
  return {
    draft,
    honour: { ...honour, ...(customTools && { customTools }) },
    refused: refusals.map((one) => {
      if (!one.unless) return one;
      const { parameter } = one.unless;
      const write = (target: Draft) => into(target, "additionalModelRequestFields", { [parameter]: body[parameter] });
      return { ...one, unless: { parameter, write } };
    }),
  };
}

const instruct = (draft: Draft, text: string): void => {
  draft["system"] = [...asObjects(draft["system"]), { text }];
};

/**
 * Declares the tools that the choice allows. Converse requires tools if the history has calls, so a request that rules
 * out calls declares them, too.
 */
function writeToolConfig(draft: Draft, choice: ChatCompletionsBody["tool_choice"], honour: Honour): void {
  const config = asObject(draft["toolConfig"]);
  const tools = asObjects(config?.["tools"]);
  if (choice !== "none" && tools.length > 0) {
    const allowed = allowedNames(choice);
    const isAllowed = ({ toolSpec }: JsonObject) => !toolSpec || allowed?.has(asObject(toolSpec)?.["name"]) !== false;
    draft["toolConfig"] = { ...config, tools: tools.filter(isAllowed) };
    return;
  }
  const called = calledNames(draft["messages"]);
  delete draft["toolConfig"];
  if (called.length === 0) return;
  honour.calls = 0;
  draft["toolConfig"] = { tools: tools.length > 0 ? tools : called.map(toDeclaration) };
  instruct(draft, NO_CALL_INSTRUCTION);
}

function allowedNames(choice: ChatCompletionsBody["tool_choice"]): ReadonlySet<unknown> | null {
  const { type, allowed_tools } = asObject(choice) ?? {};
  if (type !== "allowed_tools") return null;
  return new Set(asObjects(asObject(allowed_tools)?.["tools"]).map((tool) => asObject(tool["function"])?.["name"]));
}

/** Returns the names of the tools that the history calls. */
const calledNames = (messages: unknown): string[] => [
  ...new Set(
    asObjects(messages).flatMap(({ content }) =>
      asObjects(content).flatMap(({ toolUse }) => asText(asObject(toolUse)?.["name"]) ?? []),
    ),
  ),
];

const toDeclaration = (name: string): JsonObject => ({
  toolSpec: { name, inputSchema: { json: { type: "object", properties: {} } } },
});

function toTextFormat({ name, description, schema }: JsonObject): JsonObject {
  const jsonSchema = {
    name: asText(name) ?? "answer",
    ...(asText(description) !== null && { description }),
    schema: JSON.stringify(schema ?? {}),
  };
  return { type: "json_schema", structure: { jsonSchema } };
}

const TOOL: ReadonlySet<string> = new Set(["type", "function", "cache_control"]);
const FUNCTION: ReadonlySet<string> = new Set(["name", "description", "parameters", "strict"]);

function toTool(tool: ChatTool, path: FieldPath, refuse: Refuse): JsonObject[] {
  const { type, function: defined, cache_control } = tool as JsonObject;
  const { name, description, parameters, strict } = asObject(defined) ?? {};
  if (type !== "function" || !asObject(defined)) {
    refuse(path, `tools of type \`${String(type)}\` aren't supported`);
    return [];
  }
  dropOthers(tool, TOOL, path, refuse);
  dropOthers(asObject(defined) ?? {}, FUNCTION, [...path, "function"], refuse);
  const toolSpec = {
    name,
    ...(asText(description) && { description }),
    inputSchema: { json: asObject(parameters) ?? { type: "object", properties: {} } },
    ...(strict === true && { strict }),
  };
  return [{ toolSpec }, ...cachePointOf(cache_control)];
}

function toToolChoice(choice: ChatToolChoice, refuse: Refuse): JsonObject | null {
  if (choice === "auto") return { auto: {} };
  if (choice === "required") return { any: {} };
  if (choice === "none") return null;
  const { type, function: named, allowed_tools } = choice as JsonObject;
  if (type === "allowed_tools") return asObject(allowed_tools)?.["mode"] === "required" ? { any: {} } : { auto: {} };
  if (type === "function") return { tool: { name: asObject(named)?.["name"] } };
  refuse(["tool_choice"], `\`${String(type)}\` isn't supported`);
  return null;
}

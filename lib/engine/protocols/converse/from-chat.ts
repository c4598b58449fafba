import type { ChatCompletionsBody } from "../contracts/chat-request-contract";
import { asObject, asText, type JsonObject } from "../../../platform/json-values";
import type { ChatMessage } from "../contracts/chat-messages-contract";
import type { ChatTool, ChatToolChoice } from "../contracts/tools-contract";
import {
  convertFields,
  mapped,
  ours,
  refused,
  refuseOthers,
  type Conversion,
  type Draft,
  type FieldPath,
  type FieldRules,
  type Refuse,
} from "../field-rules";
import { OWN_FIELDS } from "../same-protocol";
import { cachePointOf, toConversation } from "./messages-from-chat";

const FUNCTIONS = "use `tools`";
const HINT = "a hint about caching, which Bedrock takes at cache points";

/** Writes to an object of the draft that other fields write to, too. */
const into = (draft: Draft, name: string, fields: JsonObject): void => {
  draft[name] = { ...asObject(draft[name]), ...fields };
};
const inference = (name: string) =>
  mapped(`\`inferenceConfig.${name}\``, (value, draft) => into(draft, "inferenceConfig", { [name]: value }));

/** Conversion of each field of a Chat Completions request for a Converse upstream. */
export const CHAT_TO_CONVERSE: FieldRules = {
  ...OWN_FIELDS,
  audio: refused(),
  cache_control: refused("only on parts of messages and tools"),
  frequency_penalty: refused("only 0", 0),
  function_call: refused(FUNCTIONS),
  functions: refused(FUNCTIONS),
  image_config: refused(),
  logit_bias: refused(),
  logprobs: refused("only false", false),
  max_completion_tokens: inference("maxTokens"),
  max_tokens: mapped("`inferenceConfig.maxTokens`", (value, draft, { max_completion_tokens }) =>
    into(draft, "inferenceConfig", { maxTokens: max_completion_tokens ?? value }),
  ),
  messages: mapped(
    "`messages` in turns, and `system` for leading system messages; unsupported parts are refused",
    (value, draft, body, refuse) => {
      Object.assign(draft, toConversation(value as ChatMessage[], (body["tools"] ?? null) !== null, refuse));
    },
  ),
  metadata: ours("recorded"),
  min_p: refused("only 0", 0),
  modalities: mapped("only `text`", (value, _draft, _body, refuse) => {
    if ((value as string[]).some((modality) => modality !== "text")) refuse(["modalities"], "only `text` is supported");
  }),
  n: refused("only 1", 1),
  parallel_tool_calls: refused("only true", true),
  prediction: refused(),
  presence_penalty: refused("only 0", 0),
  prompt_cache_key: ours(HINT),
  prompt_cache_options: ours(HINT),
  prompt_cache_retention: ours(HINT),
  reasoning: mapped(
    "`thinking` for Claude, with an effort as tokens; `reasoning_effort` for other models, with tokens as an effort",
    (value, draft, _body, refuse) => {
      const { effort, max_tokens, enabled, summary: _, ...rest } = value as JsonObject;
      refuseOthers(rest, new Set(), ["reasoning"], refuse);
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
  repetition_penalty: refused("only 1", 1),
  response_format: mapped("`outputConfig.textFormat`; `json_object` is refused", (value, draft, _body, refuse) => {
    const { type, json_schema } = value as JsonObject;
    if (type === "json_schema") draft["outputConfig"] = { textFormat: toTextFormat(asObject(json_schema) ?? {}) };
    else if (type !== "text") refuse(["response_format"], `\`${String(type)}\` isn't supported`);
  }),
  safety_identifier: ours("recorded"),
  seed: refused(),
  service_tier: mapped("`serviceTier`; `scale` is refused", (value, draft, _body, refuse) => {
    if (value === "scale") refuse(["service_tier"], "`scale` isn't supported");
    else if (value === "flex" || value === "priority" || value === "fast")
      draft["serviceTier"] = { type: value === "flex" ? "flex" : "priority" };
  }),
  stop: mapped("`inferenceConfig.stopSequences`", (value, draft) => {
    const texts = [value].flat().filter((text) => text !== "");
    if (texts.length > 0) into(draft, "inferenceConfig", { stopSequences: texts });
  }),
  stop_server_tools_when: refused(),
  store: refused("only false", false),
  stream: ours("decides the operation: Converse or ConverseStream"),
  stream_options: ours("every stream reports usage"),
  temperature: inference("temperature"),
  tool_choice: mapped(
    "`toolConfig.toolChoice`; `none` and `allowed_tools` are refused",
    (value, draft, { tools }, refuse) => {
      const choice = toToolChoice(value as ChatToolChoice, refuse);
      if (choice && Array.isArray(tools) && tools.length > 0) into(draft, "toolConfig", { toolChoice: choice });
    },
  ),
  tools: mapped("functions as `toolConfig.tools`; other tools are refused", (value, draft, _body, refuse) => {
    const tools = (value as ChatTool[]).flatMap((tool, index) => toTool(tool, ["tools", index], refuse));
    if (tools.length > 0) into(draft, "toolConfig", { tools });
  }),
  top_a: refused("only 0", 0),
  top_k: mapped("`additionalModelRequestFields.top_k`", (value, draft) =>
    into(draft, "additionalModelRequestFields", { top_k: value }),
  ),
  top_logprobs: refused("only 0", 0),
  top_p: inference("topP"),
  user: ours("recorded"),
  verbosity: refused("only `medium`", "medium"),
  web_search_options: refused(),
};

/**
 * Converts a Chat Completions request to the fields of Converse. Refused fields that an endpoint is known to support are
 * sent as fields of its model.
 */
export function chatToConverse(body: ChatCompletionsBody): Conversion {
  const { draft, refused: refusals } = convertFields(CHAT_TO_CONVERSE, body);
  return {
    draft,
    refused: refusals.map((one) => {
      if (!one.unless) return one;
      const { parameter } = one.unless;
      const write = (target: Draft) => into(target, "additionalModelRequestFields", { [parameter]: body[parameter] });
      return { ...one, unless: { parameter, write } };
    }),
  };
}

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
  refuseOthers(tool, TOOL, path, refuse);
  refuseOthers(asObject(defined) ?? {}, FUNCTION, [...path, "function"], refuse);
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
  const { type, function: named } = asObject(choice) ?? { type: choice };
  if (type === "function") return { tool: { name: asObject(named)?.["name"] } };
  refuse(["tool_choice"], `\`${String(type)}\` isn't supported`);
  return null;
}

import type { ChatCompletionsBody } from "../contracts/chat-request-contract";
import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";
import type { ChatMessage } from "../contracts/chat-messages-contract";
import type { ChatTool, ChatToolChoice } from "../contracts/tools-contract";
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
  renamed,
  type Conversion,
  type Draft,
  type FieldRules,
  type Refuse,
} from "../field-rules";
import { withoutCustomTools } from "../chat/custom-tools";
import { JSON_INSTRUCTION } from "../instructions";
import { OWN_FIELDS } from "../same-protocol";
import { isReasoningRequested, MIN_BUDGET, reasoningOf } from "./thinking";
import { toTools, toToolChoice } from "./tools-from-chat";
import { toMessages } from "./turns-from-chat";

const FUNCTIONS = "use `tools`";
const CACHE_HINT = "a hint for OpenAI's caches";
const THINKING = "`thinking` and `output_config.effort`, as the model accepts them";
const WITH_REASONING = "sent unless the model rejects it; with reasoning";

/** Conversion of each field of a Chat Completions request for a Messages upstream. */
export const CHAT_TO_MESSAGES: FieldRules = {
  ...OWN_FIELDS,
  audio: dropped("`modalities` ask for audio"),
  cache_control: carried,
  frequency_penalty: dropped(undefined, 0),
  function_call: refused(FUNCTIONS),
  functions: refused(FUNCTIONS),
  image_config: dropped(),
  logit_bias: refused(),
  logprobs: refused("only false", false),
  max_completion_tokens: renamed("`max_tokens`", "max_tokens"),
  max_tokens: mapped("sent in every request: without it, the model's maximum output", (value, draft, body) => {
    draft["max_tokens"] = body["max_completion_tokens"] ?? value;
  }),
  messages: mapped(
    "alternating turns of blocks, with `system` for messages of role `system` and `developer`; an image's `detail` isn't sent; unsupported parts are refused",
    (value, draft, _body, refuse) => {
      Object.assign(draft, toMessages(value as ChatMessage[], refuse));
    },
  ),
  metadata: ours("recorded"),
  min_p: dropped(undefined, 0),
  modalities: mapped("only `text`", (value, _draft, _body, refuse) => {
    if ((value as string[]).some((modality) => modality !== "text")) refuse(["modalities"], "only `text` is supported");
  }),
  n: refused("only 1", 1),
  parallel_tool_calls: mapped("`tool_choice.disable_parallel_tool_use`", (value, draft) => {
    draft["parallel_tool_calls"] = value;
  }),
  prediction: dropped("a hint about speed"),
  presence_penalty: dropped(undefined, 0),
  prompt_cache_key: ours(CACHE_HINT),
  prompt_cache_options: ours(CACHE_HINT),
  prompt_cache_retention: ours(CACHE_HINT),
  reasoning: mapped(THINKING, (value, draft, body, refuse) => {
    const { budget } = reasoningOf(body);
    const limit = Number(body["max_completion_tokens"] ?? body["max_tokens"] ?? Infinity);
    if (budget !== null && (budget < MIN_BUDGET || budget >= limit)) drop(["reasoning", "max_tokens"], refuse);
    dropOthers(value as JsonObject, REASONING, ["reasoning"], refuse);
    draft["reasoning"] = value;
  }),
  reasoning_effort: mapped(THINKING, (value, draft) => {
    draft["reasoning_effort"] = value;
  }),
  repetition_penalty: dropped(undefined, 1),
  response_format: mapped(
    "`output_config.format`, without `name`, `description` and `strict`; `json_object` is requested in `system`, and checked",
    (value, draft, _body, refuse, honour) => {
      const { type, json_schema } = value as JsonObject;
      if (type === "json_schema")
        draft["output_config"] = { format: { type, schema: asObject(json_schema)?.["schema"] ?? { type: "object" } } };
      else if (type === "json_object") honour.isJsonObject = true;
      else if (type !== "text") refuse(["response_format"], `\`${String(type)}\` isn't supported: use \`json_schema\``);
    },
  ),
  safety_identifier: mapped("`metadata.user_id`, as a SHA-256", (value, draft) => {
    draft["safety_identifier"] = value;
  }),
  seed: dropped(),
  service_tier: mapped(
    "`auto` for `auto`, `priority` and `fast`, `standard_only` for `default`; others are dropped",
    (value, draft, _body, refuse) => {
      const tier = TIERS[String(value)];
      if (tier) draft["service_tier"] = tier;
      else drop(["service_tier"], refuse);
    },
  ),
  stop: mapped(
    "`stop_sequences`; at white space alone, Signalbox cuts the text",
    (value, draft, _body, _refuse, honour) => {
      const sequences = [value].flat().filter((sequence): sequence is string => Boolean(sequence));
      const [blank, others] = [sequences.filter(isBlank), sequences.filter((sequence) => !isBlank(sequence))];
      if (blank.length > 0) honour.stop = blank;
      if (others.length > 0) draft["stop_sequences"] = others;
    },
  ),
  stop_server_tools_when: dropped("bounds hosted tools"),
  store: dropped("always false", false),
  stream: carried,
  stream_options: ours("a stream always has its usage"),
  temperature: mapped(`${WITH_REASONING}, dropped; at most 1`, (value, draft, body, refuse) => {
    const given = Number(value);
    if (isReasoningRequested(body) ? given !== 1 : given > 1 || given < 0)
      drop(["temperature"], refuse, sentAs("temperature", value));
    if (!isReasoningRequested(body)) draft["temperature"] = Math.min(Math.max(given, 0), 1);
  }),
  tool_choice: mapped("hosted tools are refused; with a required call, reasoning is dropped", (value, draft) => {
    draft["tool_choice"] = value;
  }),
  tools: mapped(
    "functions, also for custom tools, with one string; others are refused",
    (value, draft, _body, refuse) => {
      draft["tools"] = [...toTools(value as ChatTool[], refuse), ...asObjects(draft["tools"])];
    },
  ),
  top_a: dropped(undefined, 0),
  top_k: mapped(`${WITH_REASONING}, dropped`, (value, draft, body, refuse) => {
    if (Number(value) < 1 || isReasoningRequested(body)) drop(["top_k"], refuse, sentAs("top_k", value));
    else draft["top_k"] = value;
  }),
  top_logprobs: dropped("needs `logprobs`", 0),
  top_p: mapped(`${WITH_REASONING}, dropped below 0.95`, (value, draft, body, refuse) => {
    const least = isReasoningRequested(body) ? MIN_TOP_P : 0;
    if (Number(value) > 1 || Number(value) < least) drop(["top_p"], refuse, sentAs("top_p", value));
    else draft["top_p"] = value;
  }),
  user: mapped("`metadata.user_id`, as a SHA-256, without a `safety_identifier`", (value, draft) => {
    draft["user"] = value;
  }),
  verbosity: mapped(
    "`output_config.effort`; another than that of reasoning is dropped",
    (value, draft, body, refuse) => {
      const effort = asObject(body["reasoning"])?.["effort"] ?? body["reasoning_effort"] ?? value;
      if (effort !== value) drop(["verbosity"], refuse, sentAs("verbosity", value));
      else draft["verbosity"] = value;
    },
  ),
  web_search_options: mapped("the tool `web_search`, without `search_context_size`", (value, draft, _body, refuse) => {
    const { search_context_size: _size, user_location, ...rest } = value as JsonObject;
    refuseOthers(rest, new Set(), ["web_search_options"], refuse);
    const place = asObject(user_location);
    const location = place && { type: "approximate", ...asObject(place["approximate"]) };
    const tool = { type: "web_search_20250305", name: "web_search", ...(location && { user_location: location }) };
    draft["tools"] = [...asObjects(draft["tools"]), tool];
  }),
};

const REASONING: ReadonlySet<string> = new Set(["effort", "enabled", "max_tokens", "summary", "exclude"]);
const TIERS: Readonly<Record<string, string>> = {
  auto: "auto",
  priority: "auto",
  fast: "auto",
  default: "standard_only",
};
const MIN_TOP_P = 0.95;

const isBlank = (text: string): boolean => text.trim() === "";

/** Sends a value that the API itself would reject to endpoints that are known to accept it. */
const sentAs = (parameter: string, value: unknown) => ({
  parameter,
  write: (draft: Draft) => {
    draft[parameter] = value;
  },
});

/** Converts a Chat Completions request to the fields of Messages. Fields that depend on the model are converted when it is known. */
export function chatToMessages(given: ChatCompletionsBody): Conversion {
  const { body, customTools } = withoutCustomTools(given) ?? { body: given, customTools: null };
  const isForced = isCallRequired(body.tool_choice) && isReasoningRequested(body);
  const { draft, refused: others, honour } = convertFields(CHAT_TO_MESSAGES, isForced ? withoutReasoning(body) : body);
  const refusals = [...others];
  if (isForced)
    for (const name of REASONING_FIELDS)
      if ((body[name] ?? null) !== null) refusals.push({ path: [name], message: "isn't sent", leftOut: "field" });
  const { tools, tool_choice, parallel_tool_calls, ...rest } = draft;
  const tooling = joinedTools({ tools, tool_choice, parallel_tool_calls }, (path, message) =>
    refusals.push({ path, message }),
  );
  if (honour.isJsonObject) rest["system"] = [...asObjects(rest["system"]), { type: "text", text: JSON_INSTRUCTION }];
  return {
    draft: { ...rest, ...tooling },
    refused: refusals,
    honour: { ...honour, ...(customTools && { customTools }) },
  };
}

const REASONING_FIELDS = ["reasoning", "reasoning_effort"] as const;

/** Removes reasoning, which a required call rules out. */
const withoutReasoning = ({ reasoning: _r, reasoning_effort: _e, ...body }: ChatCompletionsBody): ChatCompletionsBody =>
  body;

function isCallRequired(choice: ChatCompletionsBody["tool_choice"]): boolean {
  if (!choice || typeof choice === "string") return choice === "required";
  return choice.type === "allowed_tools" ? asObject(choice["allowed_tools"])?.["mode"] === "required" : true;
}

/** Merges the tool fields of a request, because a choice requires tools. */
function joinedTools({ tools: given, tool_choice, parallel_tool_calls }: Draft, refuse: Refuse): Draft {
  const { choice, allowed } = tool_choice
    ? toToolChoice(tool_choice as ChatToolChoice, refuse)
    : { choice: null, allowed: null };
  const tools = asObjects(given).filter(({ name }) => allowed?.has(String(name)) ?? true);
  const type = asText(choice?.["type"]) ?? "auto";
  const isForced = type === "any" || type === "tool";
  if (tools.length === 0) {
    if (isForced) refuse(["tool_choice"], "needs tools");
    return {};
  }
  if (type === "tool" && !tools.some(({ name }) => name === choice?.["name"]))
    refuse(["tool_choice", "function", "name"], "must be one of the tools");
  const isSerial = parallel_tool_calls === false && type !== "none";
  return {
    tools,
    ...((choice !== null || isSerial) && {
      tool_choice: { type, ...choice, ...(isSerial && { disable_parallel_tool_use: true }) },
    }),
  };
}

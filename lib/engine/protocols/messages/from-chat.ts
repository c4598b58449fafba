import type { ChatCompletionsBody } from "../contracts/chat-request-contract";
import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";
import type { ChatMessage } from "../contracts/chat-messages-contract";
import type { ChatTool, ChatToolChoice } from "../contracts/tools-contract";
import {
  carried,
  convertFields,
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
  audio: refused(),
  cache_control: carried,
  frequency_penalty: refused("only 0", 0),
  function_call: refused(FUNCTIONS),
  functions: refused(FUNCTIONS),
  image_config: refused(),
  logit_bias: refused(),
  logprobs: refused("only false", false),
  max_completion_tokens: renamed("`max_tokens`", "max_tokens"),
  max_tokens: mapped("sent in every request: without it, the model's maximum output", (value, draft, body) => {
    draft["max_tokens"] = body["max_completion_tokens"] ?? value;
  }),
  messages: mapped(
    "alternating turns of blocks, with `system` for messages of role `system` and `developer`; an image's `detail` isn't sent; `name` and unsupported parts are refused",
    (value, draft, _body, refuse) => {
      Object.assign(draft, toMessages(value as ChatMessage[], refuse));
    },
  ),
  metadata: ours("recorded"),
  min_p: refused("only 0", 0),
  modalities: mapped("only `text`", (value, _draft, _body, refuse) => {
    if ((value as string[]).some((modality) => modality !== "text")) refuse(["modalities"], "only `text` is supported");
  }),
  n: refused("only 1", 1),
  parallel_tool_calls: mapped("`tool_choice.disable_parallel_tool_use`", (value, draft) => {
    draft["parallel_tool_calls"] = value;
  }),
  prediction: refused(),
  presence_penalty: refused("only 0", 0),
  prompt_cache_key: ours(CACHE_HINT),
  prompt_cache_options: ours(CACHE_HINT),
  prompt_cache_retention: ours(CACHE_HINT),
  reasoning: mapped(THINKING, (value, draft, body, refuse) => {
    const { budget } = reasoningOf(body);
    const limit = body["max_completion_tokens"] ?? body["max_tokens"];
    if (budget !== null && budget < MIN_BUDGET) refuse(["reasoning", "max_tokens"], `must be at least ${MIN_BUDGET}`);
    if (budget !== null && typeof limit === "number" && budget >= limit)
      refuse(["reasoning", "max_tokens"], "must be less than the maximum number of output tokens");
    refuseOthers(value as JsonObject, REASONING, ["reasoning"], refuse);
    draft["reasoning"] = value;
  }),
  reasoning_effort: mapped(THINKING, (value, draft) => {
    draft["reasoning_effort"] = value;
  }),
  repetition_penalty: refused("only 1", 1),
  response_format: mapped(
    "`output_config.format`, without `name`, `description` and `strict`; `json_object` is refused",
    (value, draft, _body, refuse) => {
      const { type, json_schema } = value as JsonObject;
      if (type === "json_schema")
        draft["output_config"] = { format: { type, schema: asObject(json_schema)?.["schema"] ?? { type: "object" } } };
      else if (type !== "text") refuse(["response_format"], `\`${String(type)}\` isn't supported: use \`json_schema\``);
    },
  ),
  safety_identifier: mapped("`metadata.user_id`, as a SHA-256", (value, draft) => {
    draft["safety_identifier"] = value;
  }),
  seed: refused(),
  service_tier: mapped(
    "`auto` for `auto`, `priority` and `fast`, `standard_only` for `default`; others are refused",
    (value, draft, _body, refuse) => {
      const tier = TIERS[String(value)];
      if (tier) draft["service_tier"] = tier;
      else refuse(["service_tier"], `\`${String(value)}\` isn't supported`);
    },
  ),
  stop: mapped("`stop_sequences`; white space alone is refused", (value, draft, _body, refuse) => {
    const sequences = [value].flat().filter((sequence) => sequence !== "") as string[];
    if (sequences.some((sequence) => sequence.trim() === ""))
      refuse(["stop"], "must contain more than white space for a Messages upstream");
    if (sequences.length > 0) draft["stop_sequences"] = sequences;
  }),
  stop_server_tools_when: refused(),
  store: refused("only false", false),
  stream: carried,
  stream_options: ours("a stream always has its usage"),
  temperature: mapped(`${WITH_REASONING}, only 1; at most 1`, (value, draft, body, refuse) => {
    if (Number(value) > 1 || Number(value) < 0)
      refuse(["temperature"], "must be between 0 and 1", sentAs("temperature", value));
    else if (isReasoningRequested(body) && value !== 1)
      refuse(["temperature"], "must be 1 with reasoning", sentAs("temperature", value));
    else draft["temperature"] = value;
  }),
  tool_choice: mapped(
    "hosted and custom tools are refused; with reasoning, a call can't be required",
    (value, draft) => {
      draft["tool_choice"] = value;
    },
  ),
  tools: mapped("functions; others are refused", (value, draft, _body, refuse) => {
    draft["tools"] = [...toTools(value as ChatTool[], refuse), ...asObjects(draft["tools"])];
  }),
  top_a: refused("only 0", 0),
  top_k: mapped(`${WITH_REASONING} refused`, (value, draft, body, refuse) => {
    if (Number(value) < 1) refuse(["top_k"], "must be at least 1", sentAs("top_k", value));
    else if (isReasoningRequested(body)) refuse(["top_k"], "must not be set with reasoning", sentAs("top_k", value));
    else draft["top_k"] = value;
  }),
  top_logprobs: refused("only 0", 0),
  top_p: mapped(`${WITH_REASONING}, at least 0.95`, (value, draft, body, refuse) => {
    if (Number(value) > 1 || Number(value) < 0) refuse(["top_p"], "must be between 0 and 1", sentAs("top_p", value));
    else if (isReasoningRequested(body) && Number(value) < MIN_TOP_P)
      refuse(["top_p"], `must be at least ${MIN_TOP_P} with reasoning`, sentAs("top_p", value));
    else draft["top_p"] = value;
  }),
  user: mapped("`metadata.user_id`, as a SHA-256, without a `safety_identifier`", (value, draft) => {
    draft["user"] = value;
  }),
  verbosity: mapped(
    "`output_config.effort`; another than that of reasoning is refused",
    (value, draft, body, refuse) => {
      const effort = asObject(body["reasoning"])?.["effort"] ?? body["reasoning_effort"] ?? value;
      if (effort !== value) refuse(["verbosity"], "must be the effort of reasoning", sentAs("verbosity", value));
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

/** Sends a value that the API itself would reject to an endpoint that is known to take it. */
const sentAs = (parameter: string, value: unknown) => ({
  parameter,
  write: (draft: Draft) => {
    draft[parameter] = value;
  },
});

/** Converts a Chat Completions request to the fields of Messages. What depends on the model stays until it is known. */
export function chatToMessages(body: ChatCompletionsBody): Conversion {
  const { draft, refused: others } = convertFields(CHAT_TO_MESSAGES, body);
  const refusals = [...others];
  const { tools, tool_choice, parallel_tool_calls, ...rest } = draft;
  const tooling = joinedTools({ tools, tool_choice, parallel_tool_calls }, body, (path, message) =>
    refusals.push({ path, message }),
  );
  return { draft: { ...rest, ...tooling }, refused: refusals };
}

/** Joins what a request says about tools: a choice needs tools, and one that forces a call rules out reasoning. */
function joinedTools(
  { tools: given, tool_choice, parallel_tool_calls }: Draft,
  body: ChatCompletionsBody,
  refuse: Refuse,
): Draft {
  const { choice, allowed } = tool_choice
    ? toToolChoice(tool_choice as ChatToolChoice, refuse)
    : { choice: null, allowed: null };
  const tools = asObjects(given).filter(({ name }) => allowed?.has(String(name)) ?? true);
  const type = asText(choice?.["type"]) ?? "auto";
  const isForced = type === "any" || type === "tool";
  if (isForced && isReasoningRequested(body)) refuse(["tool_choice"], "must be `auto` or `none` with reasoning");
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

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
  refuseOthers,
  type Conversion,
  type Draft,
  type FieldRule,
  type FieldRules,
  type Refuse,
} from "../field-rules";
import { withoutCustomTools } from "../chat/custom-tools";
import { OWN_FIELDS } from "../same-protocol";
import { toContents } from "./contents";
import { toTools, toToolConfig } from "./tools";

const FUNCTIONS = "use `tools`";
const HINT = "a hint about caching";

/** Fields of `generationConfig` by field of the request. The draft uses the request's names until the endpoint is known. */
export const GENERATION_CONFIG = {
  frequency_penalty: "frequencyPenalty",
  logprobs: "responseLogprobs",
  max_tokens: "maxOutputTokens",
  n: "candidateCount",
  presence_penalty: "presencePenalty",
  seed: "seed",
  stop: "stopSequences",
  temperature: "temperature",
  top_k: "topK",
  top_logprobs: "logprobs",
  top_p: "topP",
} as const;

/** A field of `generationConfig`. */
const configured = (name: keyof typeof GENERATION_CONFIG, convert = (value: unknown): unknown => value): FieldRule =>
  mapped(`\`generationConfig.${GENERATION_CONFIG[name]}\``, (value, draft) => {
    draft[name] = convert(value);
  });

const configure = (draft: Draft, fields: JsonObject): void => {
  draft["generationConfig"] = { ...asObject(draft["generationConfig"]), ...fields };
};

/** Conversion of each field of a Chat Completions request for an upstream that speaks `generateContent`. */
export const CHAT_TO_GENERATE_CONTENT: FieldRules = {
  ...OWN_FIELDS,
  audio: dropped("`modalities` ask for audio"),
  cache_control: dropped(HINT),
  frequency_penalty: configured("frequency_penalty"),
  function_call: refused(FUNCTIONS),
  functions: refused(FUNCTIONS),
  image_config: mapped("`generationConfig.imageConfig`: `aspect_ratio` and `image_size`", (value, draft, _, refuse) => {
    const { aspect_ratio, image_size, ...rest } = value as JsonObject;
    dropOthers(rest, NONE, ["image_config"], refuse);
    configure(draft, {
      imageConfig: {
        ...(aspect_ratio !== undefined && { aspectRatio: aspect_ratio }),
        ...(image_size !== undefined && { imageSize: image_size }),
      },
    });
  }),
  logit_bias: refused(),
  logprobs: configured("logprobs", (value) => value || undefined),
  max_completion_tokens: mapped("`generationConfig.maxOutputTokens`", (value, draft) => {
    draft["max_tokens"] = value;
  }),
  max_tokens: mapped("`generationConfig.maxOutputTokens`", (value, draft, { max_completion_tokens }) => {
    draft["max_tokens"] = max_completion_tokens ?? value;
  }),
  messages: mapped(
    "`contents`, and `systemInstruction` for messages of role `system` and `developer`; unsupported parts are refused",
    (value, draft, _, refuse) => {
      Object.assign(draft, toContents(value as ChatMessage[], refuse));
    },
  ),
  metadata: ours("recorded"),
  min_p: dropped(undefined, 0),
  modalities: mapped("`generationConfig.responseModalities`; `audio` is refused", (value, draft, _, refuse) => {
    const modalities = value as string[];
    if (modalities.includes("audio")) refuse(["modalities"], "`audio` isn't supported");
    configure(draft, { responseModalities: modalities.map((modality) => modality.toUpperCase()) });
  }),
  n: configured("n"),
  parallel_tool_calls: honoured("if false, Signalbox keeps one call", (value, _draft, _body, _refuse, honour) => {
    if (value === false) honour.calls = 1;
  }),
  prediction: dropped("a hint about speed"),
  presence_penalty: configured("presence_penalty"),
  prompt_cache_key: ours("prompts are cached without a key"),
  prompt_cache_options: dropped(HINT),
  prompt_cache_retention: dropped(HINT),
  reasoning: mapped(
    "`generationConfig.thinkingConfig`: thoughts are included; `max_tokens` is the `thinkingBudget`, an effort the `thinkingLevel`, or a budget for models before Gemini 3",
    (value, draft, _, refuse) => {
      dropOthers(value as JsonObject, REASONING, ["reasoning"], refuse);
      const given = Object.entries(value as JsonObject).filter(([, one]) => one !== null);
      draft["reasoning"] = { ...asObject(draft["reasoning"]), ...Object.fromEntries(given) };
    },
  ),
  reasoning_effort: mapped("as `reasoning.effort`", (value, draft) => {
    draft["reasoning"] = { effort: value, ...asObject(draft["reasoning"]) };
  }),
  repetition_penalty: dropped(undefined, 1),
  response_format: mapped(
    "`generationConfig.responseMimeType` and `responseJsonSchema`, without the schema's name",
    (value, draft, _, refuse) => writeFormat(value as JsonObject, draft, refuse),
  ),
  safety_identifier: ours("recorded"),
  seed: configured("seed"),
  service_tier: mapped(
    "`serviceTier`: `flex`, `standard` for `default`, `priority`; others are dropped",
    (value, draft, _, refuse) => {
      if (value === "auto") return;
      const tier = TIERS[String(value)];
      if (tier === undefined) drop(["service_tier"], refuse);
      else draft["serviceTier"] = tier;
    },
  ),
  stop: configured("stop", (value) => {
    const texts = [value].flat().filter((text) => text !== "");
    return texts.length > 0 ? texts : undefined;
  }),
  stop_server_tools_when: dropped("bounds hosted tools"),
  store: dropped("always false", false),
  stream: ours("chooses `:streamGenerateContent`"),
  stream_options: ours("usage is part of every stream"),
  temperature: configured("temperature"),
  tool_choice: mapped("`toolConfig.functionCallingConfig`", (value, draft, { tools }, refuse) =>
    writeToolConfig(value as ChatToolChoice, tools, draft, refuse),
  ),
  tools: mapped(
    "`functionDeclarations` for functions, also for custom tools, with one string; `googleSearch` for `web_search`; with a strict function, arguments are validated. Other tools are refused",
    (value, draft, { tool_choice }, refuse) => {
      const tools = [...toTools(value as ChatTool[], refuse), ...asObjects(draft["tools"])];
      if (tools.length > 0) draft["tools"] = tools;
      if ((tool_choice ?? null) === null) writeToolConfig(null, value, draft, refuse);
    },
  ),
  top_a: dropped(undefined, 0),
  top_k: configured("top_k"),
  top_logprobs: configured("top_logprobs"),
  top_p: configured("top_p"),
  user: ours("recorded"),
  verbosity: dropped(),
  web_search_options: mapped(
    "the tool `googleSearch`; its fields are dropped, but for filters",
    (value, draft, _, refuse) => {
      const { search_context_size, user_location, ...rest } = value as JsonObject;
      dropOthers({ search_context_size, user_location }, NONE, ["web_search_options"], refuse);
      refuseOthers(rest, NONE, ["web_search_options"], refuse);
      const tools = asObjects(draft["tools"]);
      draft["tools"] = tools.some((tool) => "googleSearch" in tool) ? tools : [...tools, { googleSearch: {} }];
    },
  ),
};

const NONE: ReadonlySet<string> = new Set();
const REASONING: ReadonlySet<string> = new Set(["effort", "enabled", "max_tokens", "summary"]);
const TIERS: Readonly<Record<string, string>> = {
  default: "standard",
  fast: "priority",
  flex: "flex",
  priority: "priority",
};

/** Converts a Chat Completions request to a draft that `generateContentBody` completes. */
export function chatToGenerateContent(given: ChatCompletionsBody): Conversion {
  const { body, customTools } = withoutCustomTools(given) ?? { body: given, customTools: null };
  const { honour, ...conversion } = convertFields(CHAT_TO_GENERATE_CONTENT, body);
  return { ...conversion, honour: { ...honour, ...(customTools && { customTools }) } };
}

/** Refuses fields without a counterpart, whatever an endpoint supports, because these upstreams reject unknown fields. */
export const withoutExceptions = ({ draft, refused: refusals, honour }: Conversion): Conversion => ({
  draft,
  honour,
  refused: refusals.map(({ unless: _, ...refusal }) => refusal),
});

function writeToolConfig(choice: ChatToolChoice | null, tools: unknown, draft: Draft, refuse: Refuse): void {
  const config = toToolConfig(choice, tools, refuse);
  if (config) draft["toolConfig"] = config;
}

function writeFormat(format: JsonObject, draft: Draft, refuse: Refuse): void {
  const type = asText(format["type"]);
  if (type === "text") return;
  if (type !== "json_object" && type !== "json_schema") {
    refuse(["response_format"], `\`${String(type)}\` isn't supported`);
    return;
  }
  const schema = asObject(asObject(format["json_schema"])?.["schema"]);
  configure(draft, { responseMimeType: "application/json", ...(schema && { responseJsonSchema: schema }) });
}

import { asObject } from "../../platform/json-values";
import type { Protocol } from "../endpoint";
import { CHAT_CONTENT_PARTS, TOOL_CALLS } from "./contracts/chat-messages-contract";
import { AUDIO_FORMATS, CONTENT_PARTS, IMAGE_DETAILS, INPUT_ITEMS, PHASES } from "./contracts/input-items-contract";
import { MESSAGES_BLOCKS } from "./contracts/messages-blocks-contract";
import { MESSAGES_EFFORTS, THINKING_TYPES } from "./contracts/messages-request-contract";
import { MESSAGES_TOOL_CHOICES, MESSAGES_TOOLS } from "./contracts/messages-tools-contract";
import {
  CACHE_TTLS,
  MODALITIES,
  REASONING_EFFORTS,
  REASONING_SUMMARIES,
  SERVICE_TIERS,
  VERBOSITIES,
} from "./contracts/request-fields-contract";
import { ALLOWED_MODES, TOOL_MODES, TOOLS } from "./contracts/tools-contract";
import type { InferenceRequest } from "./inference-request";

type Known = Readonly<Record<string, readonly string[]>>;

const LEVELS = ["low", "medium", "high"] as const;

/** Kinds that are known by name only. */
const UNCHECKED_TOOLS = ["computer", "computer_use", "programmatic_tool_calling", "tool_search"];
const UNCHECKED_MESSAGES_TOOLS = [
  "browser_toolset_20260801",
  "code_execution_20260521",
  "computer_toolset_20260801",
  "tool_search_tool_bm25",
  "tool_search_tool_regex",
];
const UNCHECKED_ITEMS = [
  "additional_tools",
  "code_interpreter_call",
  "compaction_trigger",
  "computer_call",
  "computer_call_output",
  "file_search_call",
  "image_generation_call",
  "program",
  "program_output",
  "tool_search_call",
  "tool_search_output",
  "web_search_call",
];

const FORMATS = ["text", "json_object", "json_schema"] as const;

const tool: Known = {
  "tools[].type": [...TOOLS, ...UNCHECKED_TOOLS],
  "tools[].search_context_size": LEVELS,
  "tools[].user_location.type": ["approximate"],
  "tools[].environment": ["windows", "mac", "linux", "ubuntu", "browser"],
  "tools[].require_approval": ["always", "never"],
  "tools[].container.memory_limit": ["1g", "4g", "16g", "64g"],
  "tools[].background": ["transparent", "opaque", "auto"],
  "tools[].input_fidelity": ["high", "low"],
  "tools[].moderation": ["auto", "low"],
  "tools[].output_format": ["png", "webp", "jpeg"],
  "tools[].quality": [...LEVELS, "auto"],
};

const openai: Known = {
  ...tool,
  "cache_control.ttl": CACHE_TTLS,
  "reasoning.effort": REASONING_EFFORTS,
  "reasoning.summary": REASONING_SUMMARIES,
};

const TTL_PLACES = [
  "cache_control",
  "system[].cache_control",
  "tools[].cache_control",
  "messages[].content[].cache_control",
  "messages[].content[].content[].cache_control",
  "messages[].content[].source.content[].cache_control",
  "messages[].content[].content[].source.content[].cache_control",
];

/** Known values of fields with growing lists, by place of the field. Other values pass to upstreams that may know them. */
const KNOWN_VALUES: Readonly<Record<Protocol, Known>> = {
  chat_completions: {
    ...openai,
    "messages[].content[].type": [...CHAT_CONTENT_PARTS, "refusal", "video_url"],
    "messages[].content[].image_url.detail": IMAGE_DETAILS,
    "messages[].content[].input_audio.format": AUDIO_FORMATS,
    "messages[].tool_calls[].type": TOOL_CALLS,
    "modalities[]": MODALITIES,
    "prompt_cache_options.mode": ["implicit", "explicit"],
    reasoning_effort: REASONING_EFFORTS,
    "response_format.type": FORMATS,
    service_tier: SERVICE_TIERS,
    tool_choice: TOOL_MODES,
    "tool_choice.type": ["function", "custom", "allowed_tools"],
    "tool_choice.allowed_tools.mode": ALLOWED_MODES,
    "tools[].custom.format.type": ["text", "grammar"],
    "tools[].custom.format.grammar.syntax": ["lark", "regex"],
    verbosity: VERBOSITIES,
    "web_search_options.search_context_size": LEVELS,
  },
  responses: {
    ...openai,
    "input[].type": [...INPUT_ITEMS, ...UNCHECKED_ITEMS],
    "input[].content[].type": [...CONTENT_PARTS, "reasoning_text"],
    "input[].content[].detail": IMAGE_DETAILS,
    "input[].content[].input_audio.format": AUDIO_FORMATS,
    "input[].output[].type": CONTENT_PARTS,
    "input[].output[].detail": IMAGE_DETAILS,
    "input[].phase": PHASES,
    "input[].status": [
      "in_progress",
      "completed",
      "incomplete",
      "failed",
      "searching",
      "interpreting",
      "generating",
      "calling",
    ],
    "prompt.variables.*.detail": IMAGE_DETAILS,
    "reasoning.context": ["auto", "all_turns", "current_turn"],
    "text.format.type": FORMATS,
    "tool_choice.type": ["function", "custom", "allowed_tools", ...TOOLS, ...UNCHECKED_TOOLS],
    "tool_choice.mode": ALLOWED_MODES,
    "tools[].format.type": ["text", "grammar"],
    "tools[].format.syntax": ["lark", "regex"],
    "tools[].tools[].type": ["function", "custom"],
    "tools[].tools[].format.type": ["text", "grammar"],
    "tools[].tools[].format.syntax": ["lark", "regex"],
    truncation: ["auto", "disabled"],
  },
  messages: {
    ...Object.fromEntries(TTL_PLACES.map((place) => [`${place}.ttl`, CACHE_TTLS])),
    "messages[].content[].type": MESSAGES_BLOCKS,
    "output_config.effort": MESSAGES_EFFORTS,
    service_tier: ["auto", "standard_only"],
    speed: ["standard", "fast"],
    "thinking.type": THINKING_TYPES,
    "thinking.display": ["summarized", "omitted"],
    "tool_choice.type": MESSAGES_TOOL_CHOICES,
    "tools[].type": [...MESSAGES_TOOLS, ...UNCHECKED_MESSAGES_TOOLS],
  },
};

/** Splits places into steps: the name of a field, `[]` for each value of a list, or `*` for each value of an object. */
const readPlaces = (places: Known) =>
  Object.entries(places).map(([place, known]) => ({
    place,
    steps: place.replaceAll("[]", ".[]").split("."),
    known: new Set(known),
  }));

const PLACES = {
  chat_completions: readPlaces(KNOWN_VALUES.chat_completions),
  responses: readPlaces(KNOWN_VALUES.responses),
  messages: readPlaces(KNOWN_VALUES.messages),
};

/** Returns the places of a request's values that Signalbox doesn't know. */
export const unknownValues = ({ protocol, body }: InferenceRequest): string[] =>
  PLACES[protocol].flatMap(({ place, steps, known }) => (hasOther(body, steps, known) ? [place] : []));

function hasOther(value: unknown, [step, ...rest]: readonly string[], known: ReadonlySet<string>): boolean {
  if (step === undefined) return typeof value === "string" && !known.has(value);
  if (step === "[]") return Array.isArray(value) && value.some((element) => hasOther(element, rest, known));
  const object = asObject(value);
  if (object === null) return false;
  if (step === "*") return Object.values(object).some((inner) => hasOther(inner, rest, known));
  return Object.hasOwn(object, step) && hasOther(object[step], rest, known);
}

/** Places of values that change the meaning of a request, unlike hints. An unknown one can't be converted to another protocol. */
const DECISIVE: ReadonlySet<string> = new Set([
  "modalities[]",
  "response_format.type",
  "text.format.type",
  "thinking.type",
  "tool_choice",
  "tool_choice.type",
  "tool_choice.mode",
  "tool_choice.allowed_tools.mode",
  "tools[].format.type",
  "tools[].custom.format.type",
]);

/** Returns the paths of a request's unknown values, which can't be converted to another protocol. */
export const inconvertibleValues = (request: InferenceRequest): string[][] =>
  unknownValues(request)
    .filter((place) => DECISIVE.has(place))
    .map((place) => place.split("[]", 1).flatMap((field) => field.split(".")));

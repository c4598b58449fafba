import { ours, mapped, type FieldRules } from "./field-rules";
import type { Protocol } from "../endpoint";

const ROUTING = "chooses the endpoint, whose own name for the model is sent";
const RECORDED = "recorded";
const HASHED = "sent as a SHA-256";
const nothing = () => undefined;
const described = (note: string) => mapped(note, nothing);

/** Fields for Signalbox itself, which no upstream receives. */
export const OWN_FIELDS: FieldRules = {
  model: ours(ROUTING),
  models: ours(ROUTING),
  preset: ours("merged into the request"),
  provider: ours("chooses the endpoint"),
  route: ours("chooses the endpoint"),
  plugins: ours("no plugin runs"),
  session_id: ours(RECORDED),
  trace: ours(RECORDED),
  debug: ours("applied by Signalbox"),
};

const SHARED: FieldRules = {
  ...OWN_FIELDS,
  safety_identifier: described(HASHED),
  service_tier: described("`fast` is sent as `priority`"),
  stream: described("sent in every request"),
};

/** Fields that an upstream of the caller's protocol doesn't receive unchanged. Every other field passes, known or unknown. */
export const SAME_PROTOCOL: Readonly<Record<Protocol, FieldRules>> = {
  chat_completions: {
    ...SHARED,
    messages: described(
      "earlier `reasoning` and `reasoning_details`, which Signalbox adds to answers, are sent to endpoints whose `supported_parameters` name `reasoning`; signatures of Gemini's calls to Google's models; what client libraries add to answers isn't sent",
    ),
    max_tokens: described("sent under one name: the one that the endpoint is known to support"),
    max_completion_tokens: described("sent under one name: the one that the endpoint is known to support"),
    reasoning: described("an effort alone is sent as `reasoning_effort`"),
    reasoning_effort: described("sent in `reasoning` to an endpoint that is known to support only that"),
    stream_options: described("`include_usage` is true for every stream"),
  },
  responses: {
    ...SHARED,
    input: described(
      "reasoning that the upstream can't resolve is removed: another vendor's, items with neither `encrypted_content` nor `content`, and references to reasoning; other references are replaced by the items; what client libraries add to answers isn't sent",
    ),
    reasoning: described("`enabled: false` is sent as effort `none`; `enabled` itself isn't sent"),
    store: described("false in every request"),
    previous_response_id: ours("must be null"),
    conversation: ours("must be null"),
    background: ours("must be false"),
  },
  messages: {
    ...OWN_FIELDS,
    messages: described("reasoning of other models, which has no signature, is removed"),
    thread: ours("the history is sent whole"),
    stream: described("sent in every request"),
  },
};

const STATELESS = "must be null: nothing is stored, so that a request has the whole history";
const LISTED = "must be one of the values that the routing API lists";

/** Values that Signalbox refuses although upstreams of the same protocol may accept them, by field, with the reason. */
export const REFUSED_VALUES = {
  background: "must be false: the caller waits for the answer",
  conversation: STATELESS,
  include: LISTED,
  input:
    "items have a type or a role; the roles are `user`, `system`, `assistant` and `developer`, by which filters read a text",
  max_tool_calls: "must be 1 to 30",
  modalities: LISTED,
  model: "is required, here or in a preset, also with a `prompt`: it chooses the endpoint",
  previous_response_id: STATELESS,
  prompt: "`variables` are strings, or parts that are texts, images or files",
  prompt_cache_options: "must have the `mode` `explicit`",
  service_tier: LISTED,
  store: "must be false: nothing is stored",
  text: "`verbosity` must be one of the values that the routing API lists; `format` may have any type",
  tool_choice: "as a string, must be `auto`, `none`, `required` or `any`; as an object, may have any type",
} as const;

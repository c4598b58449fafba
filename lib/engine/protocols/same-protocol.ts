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

/**
 * What an upstream of the caller's own protocol doesn't receive as it was sent. Every other field passes, also one that
 * Signalbox doesn't know.
 */
export const SAME_PROTOCOL: Readonly<Record<Protocol, FieldRules>> = {
  chat_completions: {
    ...SHARED,
    messages: described(
      "earlier `reasoning` and `reasoning_details`, which Signalbox adds to answers, are sent to endpoints whose `supported_parameters` name `reasoning`; signatures of Gemini's calls to Google's models; what client libraries parsed from an answer isn't sent",
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
      "reasoning that the upstream can't resolve is removed: another vendor's, and items with neither `encrypted_content` nor `content`; what client libraries parsed from an answer isn't sent",
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

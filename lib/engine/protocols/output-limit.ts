import type { Endpoint } from "../endpoint";
import type { InferenceRequest } from "./inference-request";

type Target = Pick<Endpoint, "supportedParameters" | "upstreamModel">;

/** Models hosted by OpenAI, whose API accepts the newer name for each and rejects two names at once. */
const HOSTED_BY_OPENAI = /(?:^|[/:])(?:gpt-(?!oss)|chatgpt-|o[1-9](?:$|-))/i;

const takesNewer = ({ supportedParameters, upstreamModel }: Target): boolean =>
  supportedParameters?.includes("max_completion_tokens") === true || HOSTED_BY_OPENAI.test(upstreamModel);

/**
 * Returns the output limit for a chat completions endpoint under one name: the only name the endpoint is known to
 * support, or else the caller's. If the caller sets both, `max_completion_tokens` applies.
 */
export function sentLimit(
  { max_tokens, max_completion_tokens }: Readonly<Record<string, unknown>>,
  target: Target,
): { max_tokens?: number | undefined; max_completion_tokens?: number | undefined } {
  const { supportedParameters: supported } = target;
  const isKnown = (name: string) => supported?.includes(name) === true;
  const limit = max_completion_tokens ?? max_tokens;
  if (typeof limit !== "number") return {};
  const hasOne = isKnown("max_completion_tokens") !== isKnown("max_tokens");
  if (!hasOne && typeof max_completion_tokens !== typeof max_tokens) return {};
  return (hasOne ? isKnown("max_completion_tokens") : takesNewer(target))
    ? { max_tokens: undefined, max_completion_tokens: limit }
    : { max_tokens: limit, max_completion_tokens: undefined };
}

/** True for a limit with only the newer name of chat completions, which some upstreams ignore. */
export const hasOnlyNewerName = ({ protocol, body }: InferenceRequest): boolean =>
  protocol === "chat_completions" &&
  typeof body.max_completion_tokens === "number" &&
  typeof body.max_tokens !== "number";

/** True when an endpoint is known to apply a limit with only the newer name, directly or under another name. */
export const appliesNewerName = ({ provider, ...target }: Target & Pick<Endpoint, "provider">): boolean =>
  provider.protocol !== "chat_completions" ||
  takesNewer(target) ||
  target.supportedParameters?.includes("max_tokens") === true;

import type { Endpoint } from "../endpoint";
import { choicesOf, type AccumulatedResponse } from "../protocols/accumulate";
import type { ResponseChunk } from "../protocols/response-chunk";
import type { ChatUsage } from "../protocols/contracts/chat-result-contract";
import { responseTexts, TOKENS_PER_SECOND } from "./estimated-usage";
import { tokensOf } from "./request-size";

type Model = Pick<Endpoint, "supportedParameters" | "upstreamModel">;

const REASONING_PARAMETERS = ["reasoning", "reasoning_effort", "include_reasoning", "thinking"];
/** Names of models that don't show their reasoning. */
const HIDES_REASONING = /(?:^|\/)o[1-9](?:$|-)|gpt-[5-9](?![\w.-]*chat)|gemini-(?:2\.5|[3-9])|grok-[4-9]/i;

const isListed = ({ supportedParameters }: Model): boolean =>
  REASONING_PARAMETERS.some((name) => supportedParameters?.includes(name));

/** True unless an endpoint is known not to reason. */
export const mayReason = (model: Model): boolean => model.supportedParameters === null || isListed(model);

/**
 * Returns the tokens per second of an endpoint's hidden reasoning: the measured speed, or else the usual speed of a
 * model that is known to reason and hides it.
 */
export function hiddenTokensPerSecond(model: Model, measured: number | undefined, isShown: boolean): number {
  if (measured !== undefined) return measured;
  return !isShown && (isListed(model) || HIDES_REASONING.test(model.upstreamModel)) ? TOKENS_PER_SECOND : 0;
}

export const showsReasoning = (answer: AccumulatedResponse): boolean =>
  choicesOf(answer).some(([, { reasoning }]) => reasoning !== "");

/** Fewest hidden tokens; fewer may be the template of an answer. */
const FEWEST_HIDDEN = 64;
/** Maximum relative error of estimated tokens. */
const INACCURACY = 0.5;

/** Returns the billed tokens that an answer doesn't show; null if the answer tells nothing about reasoning. */
export function hiddenTokens(answer: AccumulatedResponse, usage: ChatUsage): number | null {
  const { completion_tokens, completion_tokens_details } = usage;
  const reasoned = completion_tokens_details?.reasoning_tokens ?? 0;
  // A text has at least two characters for each token, with few exceptions.
  if (reasoned === 0 && completion_tokens * 2 <= answer.size) return null;
  const texts = reasoned > 0 ? choicesOf(answer).map(([, { reasoning }]) => reasoning) : responseTexts(answer);
  const shown = tokensOf(texts).expected;
  const hidden = (reasoned || completion_tokens) - shown;
  if (hidden >= Math.max(FEWEST_HIDDEN, shown * INACCURACY)) return hidden;
  return reasoned > 0 ? 0 : null;
}

const REASONING_FIELDS: ReadonlySet<string> = new Set(["role", "reasoning", "reasoning_content", "reasoning_details"]);

/** True for a chunk with text or calls. */
export const isResponsePart = ({ choices }: ResponseChunk): boolean =>
  choices.some(({ delta }) =>
    Object.entries(delta).some(
      ([name, value]) =>
        !REASONING_FIELDS.has(name) &&
        value !== "" &&
        (value ?? null) !== null &&
        !(Array.isArray(value) && !value.length),
    ),
  );

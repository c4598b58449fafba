import "server-only";
import { maxOutputAt, maxTokensAt } from "../../engine/budgets/budget";
import type { RequestSize } from "../../engine/budgets/budget-rule";
import type { Endpoint } from "../../engine/endpoint";
import { newAccumulated, type AccumulatedResponse } from "../../engine/protocols/accumulate";
import type { ChatUsage } from "../../engine/protocols/contracts/chat-result-contract";
import type { InferenceRequest } from "../../engine/protocols/inference-request";
import type { Failure } from "../../engine/protocols/upstream-failure";
import {
  responseTexts,
  brokenOffUsage,
  estimatedUsage,
  unansweredTokens,
  uncollectedFactor,
} from "../../engine/routing/estimated-usage";
import { hiddenTokens, hiddenTokensPerSecond, showsReasoning } from "../../engine/routing/hidden-reasoning";
import { correctedBy } from "../../engine/tokens/billed-ratio";
import { promptParts } from "../../engine/tokens/prompt-parts";
import { hiddenRates } from "../../records/providers/hidden-rates";
import { speeds } from "../../records/providers/endpoint-health";
import type { StreamReading } from "../stream-reading-service";
import { countTokens } from "./count-service";

/** Estimates usage that an upstream bills but doesn't report. */
export interface UsageEstimator {
  /** Usage of a response, or of the received part; `reading` is null when it isn't streamed. */
  ofResponse: (endpoint: Endpoint, answer: AccumulatedResponse, reading: Reading | null) => Promise<ChatUsage>;
  /** Learns the ratio of reported to visible tokens from a complete stream. */
  learn: (endpoint: Endpoint, answer: AccumulatedResponse, usage: ChatUsage, reading: Reading) => void;
  /** Usage of a failed attempt; null when the upstream can't bill it. */
  ofFailure: (failure: Failure) => Promise<ChatUsage | null>;
}

type Reading = Pick<StreamReading, "late" | "unansweredMs">;

/** Counts the tokens of a request's prompt with an endpoint's tokenizer, or estimates them. */
export async function countPrompt(
  request: InferenceRequest,
  size: RequestSize,
  { id, upstreamModel }: Endpoint,
): Promise<number> {
  const { texts, others } = promptParts(request);
  const { tokens, isExact } = await countTokens(upstreamModel, texts);
  return isExact ? tokens + others.expected : correctedBy(size.ratios.get(id), size.prompt).expected;
}

export function usageEstimator(request: InferenceRequest, size: RequestSize): UsageEstimator {
  const promptTokens = (endpoint: Endpoint) => countPrompt(request, size, endpoint);
  /** Estimates the tokens that a stream's upstream wrote without sending them. */
  const unseen = (endpoint: Endpoint, ms: number, isShown: boolean) =>
    unansweredTokens(
      { ms, maxOutputTokens: maxOutputAt(endpoint, size) * size.choices },
      hiddenTokensPerSecond(endpoint, hiddenRates.rateOf(endpoint.id), isShown) * size.choices,
    );
  return {
    ofResponse: async (endpoint, answer, reading) => {
      const { late = newAccumulated(), unansweredMs = 0 } = reading ?? {};
      const texts = responseTexts(answer);
      const { tokens } = await countTokens(endpoint.upstreamModel, [...texts, ...responseTexts(late)]);
      const shown = Math.ceil(tokens * uncollectedFactor(answer, texts));
      const usage = late.usage ?? answer.usage;
      const isCounted = (usage?.completion_tokens ?? 0) > 0;
      const hidden = isCounted ? 0 : unseen(endpoint, unansweredMs, showsReasoning(answer) || showsReasoning(late));
      const most = maxTokensAt(endpoint, size).completion_tokens;
      return brokenOffUsage(
        { usage, usageSoFar: answer.usageSoFar },
        () => promptTokens(endpoint),
        Math.max(shown, Math.min(shown + hidden, most)),
      );
    },
    learn: ({ id }, answer, usage, { unansweredMs }) => {
      const { audio, images } = size.modalities;
      const hidden = audio || images || answer.isCut ? null : hiddenTokens(answer, usage);
      if (hidden !== null) hiddenRates.record(id, { tokens: hidden / size.choices, ms: unansweredMs });
    },
    ofFailure: async ({ endpoint, billableMs }) => {
      if (billableMs === undefined) return null;
      const output = request.body.stream
        ? unseen(endpoint, billableMs, false)
        : unansweredTokens(
            { ms: billableMs, maxOutputTokens: maxOutputAt(endpoint, size) * size.choices },
            speeds().get(endpoint.id)?.throughput?.p50,
          );
      return estimatedUsage(await promptTokens(endpoint), output);
    },
  };
}

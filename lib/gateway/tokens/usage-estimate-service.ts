import "server-only";
import { maxOutputAt } from "../../engine/budgets/budget-policy";
import type { RequestSize } from "../../engine/budgets/budget-rule";
import type { Endpoint } from "../../engine/endpoint";
import type { AccumulatedAnswer } from "../../engine/protocols/accumulate";
import type { ChatUsage } from "../../engine/protocols/contracts/chat-result-contract";
import type { InferenceRequest } from "../../engine/protocols/inference-request";
import type { Failure } from "../../engine/protocols/upstream-failure";
import {
  answerTexts,
  brokenOffUsage,
  estimatedUsage,
  unansweredTokens,
  uncollectedFactor,
} from "../../engine/routing/estimated-usage";
import { correctedBy } from "../../engine/tokens/billed-ratio";
import { promptParts } from "../../engine/tokens/prompt-parts";
import { speeds } from "../../records/providers/endpoint-health";
import { countTokens } from "./count-service";

/** Estimates of usage that an upstream bills but doesn't report. */
export interface UsageEstimator {
  /** Usage of an answer, or of the part received. */
  ofAnswer: (endpoint: Endpoint, answer: AccumulatedAnswer) => Promise<ChatUsage>;
  /** Usage of a failed attempt; null when the upstream can't bill it. */
  ofFailure: (failure: Failure) => Promise<ChatUsage | null>;
}

/** Counts the tokens of a request's prompt as an endpoint's model does, or estimates them. */
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
  return {
    ofAnswer: async (endpoint, answer) => {
      const texts = answerTexts(answer);
      const { tokens } = await countTokens(endpoint.upstreamModel, texts);
      const output = Math.ceil(tokens * uncollectedFactor(answer, texts));
      return brokenOffUsage(answer, () => promptTokens(endpoint), output);
    },
    ofFailure: async ({ endpoint, billableMs }) => {
      if (billableMs === undefined) return null;
      const output = {
        ms: billableMs,
        isStreamed: request.body.stream,
        maxOutputTokens: maxOutputAt(endpoint, size) * size.choices,
      };
      const speed = speeds().get(endpoint.id)?.throughput?.p50;
      return estimatedUsage(await promptTokens(endpoint), unansweredTokens(output, speed));
    },
  };
}

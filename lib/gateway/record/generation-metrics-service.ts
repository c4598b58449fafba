import "server-only";
import type { Outcome } from "./outcome";
import { CIRCUIT_OPEN } from "../../engine/protocols/upstream-failure";
import { fromMicroUsd } from "../../engine/money";
import { instruments } from "../../platform/metrics/instruments";

const MILLISECONDS = 1000;

/** Counts one recorded generation, at most `labels` models and as many keys by name. */
export function countGeneration(outcome: Outcome, keyId: string, labels: number): void {
  const { status, endpoint, attempts, accumulated, costMicroUsd, decisions, timings } = outcome;
  const { usage } = accumulated;
  const all = instruments();
  const { generations, attempts: attemptCounter, tokens, cost, decisions: decided, stages } = all;
  const provider = endpoint?.provider.slug ?? "none";
  const costUsd = fromMicroUsd(costMicroUsd);
  generations.add(1, status, provider);
  for (const attempt of attempts)
    if (attempt.error !== CIRCUIT_OPEN) attemptCounter.add(1, attempt.provider, String(attempt.status ?? "none"));
  for (const { scope, field, action } of decisions) decided.add(1, scope, field, action);
  tokens.add(usage?.prompt_tokens ?? 0, provider, "prompt");
  tokens.add(usage?.completion_tokens ?? 0, provider, "completion");
  cost.add(costUsd, provider);
  if (labels > 0) {
    const { modelRequests, modelTokens, modelCost, keyRequests, keyTokens, keyCost } = all;
    const model = endpoint === null ? "none" : all.models.of(endpoint.model.slug, labels);
    const key = all.keys.of(keyId, labels);
    modelRequests.add(1, model, status);
    keyRequests.add(1, key, status);
    if (usage) {
      modelTokens.add(usage.prompt_tokens, model, "prompt");
      modelTokens.add(usage.completion_tokens, model, "completion");
      keyTokens.add(usage.prompt_tokens, key, "prompt");
      keyTokens.add(usage.completion_tokens, key, "completion");
    }
    if (costUsd > 0) {
      modelCost.add(costUsd, model);
      keyCost.add(costUsd, key);
    }
  }
  for (const [stage, ms] of Object.entries(timings)) {
    if (ms !== null) stages.observe({ stage }, ms / MILLISECONDS);
  }
}

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
  generations.inc({ status, provider });
  for (const attempt of attempts.filter(({ error }) => error !== CIRCUIT_OPEN))
    attemptCounter.inc({ provider: attempt.provider, status: attempt.status ?? "none" });
  for (const { scope, field, action } of decisions) decided.inc({ scope, field, action });
  tokens.inc({ provider, kind: "prompt" }, usage?.prompt_tokens ?? 0);
  tokens.inc({ provider, kind: "completion" }, usage?.completion_tokens ?? 0);
  cost.inc({ provider }, fromMicroUsd(costMicroUsd));
  if (labels > 0) {
    const { modelRequests, modelTokens, modelCost, keyRequests, keyTokens, keyCost } = all;
    const model = endpoint === null ? "none" : all.models.of(endpoint.model.slug, labels);
    const key = all.keys.of(keyId, labels);
    modelRequests.inc({ model, status });
    keyRequests.inc({ key, status });
    if (usage) {
      modelTokens.inc({ model, kind: "prompt" }, usage.prompt_tokens);
      modelTokens.inc({ model, kind: "completion" }, usage.completion_tokens);
      keyTokens.inc({ key, kind: "prompt" }, usage.prompt_tokens);
      keyTokens.inc({ key, kind: "completion" }, usage.completion_tokens);
    }
    if (costMicroUsd > 0n) {
      modelCost.inc({ model }, fromMicroUsd(costMicroUsd));
      keyCost.inc({ key }, fromMicroUsd(costMicroUsd));
    }
  }
  for (const [stage, ms] of Object.entries(timings)) {
    if (ms !== null) stages.observe({ stage }, ms / MILLISECONDS);
  }
}

import "server-only";
import type { Outcome } from "./outcome";
import { CIRCUIT_OPEN } from "../../engine/protocols/upstream-failure";
import { fromMicroUsd } from "../../engine/money";
import { instruments } from "../../platform/metrics/instruments";

const MILLISECONDS = 1000;

/** Counts one recorded generation. */
export function countGeneration({
  status,
  endpoint,
  attempts,
  accumulated: { usage },
  costMicroUsd,
  decisions,
  timings,
}: Outcome): void {
  const { generations, attempts: attemptCounter, tokens, cost, decisions: decided, stages } = instruments();
  const provider = endpoint?.provider.slug ?? "none";
  generations.inc({ status, provider });
  for (const attempt of attempts.filter(({ error }) => error !== CIRCUIT_OPEN))
    attemptCounter.inc({ provider: attempt.provider, status: attempt.status ?? "none" });
  for (const { scope, field, action } of decisions) decided.inc({ scope, field, action });
  tokens.inc({ provider, kind: "prompt" }, usage?.prompt_tokens ?? 0);
  tokens.inc({ provider, kind: "completion" }, usage?.completion_tokens ?? 0);
  cost.inc({ provider }, fromMicroUsd(costMicroUsd));
  for (const [stage, ms] of Object.entries(timings)) {
    if (ms !== null) stages.observe({ stage }, ms / MILLISECONDS);
  }
}

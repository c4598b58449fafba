import type { Decision } from "./contract";
import { asDecided } from "../policy/active-exceptions";
import type { Exclusion, Plan } from "../routing/plan";

/** Maximum number of exclusions recorded; a guardrail listing a thousand models excludes as many endpoints. */
const MAX_DECISIONS = 100;

/**
 * Returns decisions for endpoints that guardrails excluded. They are recorded even if another endpoint answered, so
 * fallbacks are visible.
 */
export const exclusionDecisions = (excluded: readonly Exclusion[]): Decision[] =>
  excluded
    .flatMap(({ model, provider, excluded_by }) =>
      excluded_by
        .filter(({ scope }) => scope !== "request")
        .map((refusal): Decision => ({ ...refusal, rule: `${model} by ${provider}`, action: "exclude", spans: [] })),
    )
    .slice(0, MAX_DECISIONS);

/** Returns decisions for endpoints that exceptions allowed. */
export const liftedDecisions = (lifted: Plan["lifted"]): Decision[] =>
  lifted
    .map(({ model, provider, refusal, exception }): Decision => ({
      ...refusal,
      rule: `${model} by ${provider}`,
      ...asDecided(exception, "exclude"),
      spans: [],
    }))
    .slice(0, MAX_DECISIONS);

import type { Decision } from "../generations/contract";
import { asDecided } from "../policy/exception-policy";
import type { Exclusion, Plan } from "./plan";

/** A guardrail of a thousand models excludes as many endpoints; the record names the first. */
const MAX_DECISIONS = 100;

/** What guardrails took out of a request's reach, also when another endpoint answered: a quiet fallback is seen in the record. */
export const exclusionDecisions = (excluded: readonly Exclusion[]): Decision[] =>
  excluded
    .flatMap(({ model, provider, excluded_by }) =>
      excluded_by
        .filter(({ scope }) => scope !== "request")
        .map((refusal): Decision => ({ ...refusal, rule: `${model} by ${provider}`, action: "exclude", spans: [] })),
    )
    .slice(0, MAX_DECISIONS);

/** What exceptions let into a request's reach. */
export const liftedDecisions = (lifted: Plan["lifted"]): Decision[] =>
  lifted
    .map(({ model, provider, refusal, exception }): Decision => ({
      ...refusal,
      rule: `${model} by ${provider}`,
      ...asDecided(exception, "exclude"),
      spans: [],
    }))
    .slice(0, MAX_DECISIONS);

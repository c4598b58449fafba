import "server-only";
import { budgetRules, chargeOf } from "../../engine/budgets/budget-policy";
import type { ExhaustedBudget, RequestSize } from "../../engine/budgets/budget-rule";
import { exhaustedDecisions, exhaustedDenial, raisedDecisions } from "../../engine/budgets/denial-policy";
import type { Context } from "../../platform/context";
import { decide, type Verdict } from "../../gateway/decide-service";
import type { Endpoint } from "../../engine/endpoint";
import { foresee, NO_FUNDING, type Funding } from "../../gateway/funding-service";
import { maxOutputTokens, messagesOf, requestSize } from "../../engine/routing/request-size";
import type { Asked } from "../../engine/protocols/asked";
import { upstreamRequest } from "../../engine/protocols/upstream-request";
import { BODIES } from "./check-policy";
import type { CheckPolicyBody, PolicyCheck } from "./contract";
import type { Layer } from "../../engine/policy/layers";
import type { Subject } from "./subject-service";

/** Evaluates a valid request like inference does, stopping before reservations and upstream calls. */
export async function evaluate(
  context: Context,
  { request, protocol }: Pick<CheckPolicyBody, "request" | "protocol">,
  subject: Omit<Subject, "keyHash">,
  layers: Promise<readonly Layer[]>,
): Promise<PolicyCheck> {
  const asked = { protocol, body: BODIES[protocol].parse(request) } as Asked;
  const inWorkspace: Context = { ...context, caller: { ...context.caller, workspaceId: subject.workspaceId } };
  const verdict = await decide(inWorkspace, asked, layers);
  const size = requestSize(messagesOf(verdict.asked), maxOutputTokens(verdict.asked));
  const rules = budgetRules(verdict.layers, { ...subject, key: subject.limit });
  const funding = verdict.denial
    ? { ...NO_FUNDING, candidates: verdict.plan.candidates }
    : await foresee(context, rules, verdict.plan.candidates, size);
  return { ...outcomeOf(verdict, funding), candidates: candidatesOf(verdict, funding, size) };
}

/** Maps denials to outcomes. */
export const OUTCOMES = {
  content: "blocked",
  unscanned: "blocked",
  no_endpoint: "no_endpoint",
  budget: "budget_exhausted",
} as const;

function outcomeOf(
  { denial, decisions, filtered, asked }: Verdict,
  { candidates: [first], exhausted, held }: Funding,
): Omit<PolicyCheck, "candidates"> {
  if (denial) return { outcome: OUTCOMES[denial.kind], message: denial.error.message, decisions, request: null };
  if (!first)
    return {
      outcome: "budget_exhausted",
      message: exhaustedDenial(exhausted).message,
      decisions: [...decisions, ...exhausted.flatMap((budget) => decisionOf(budget, "block"))],
      request: null,
    };
  const excluding = exhausted.flatMap((budget) => decisionOf(budget, "exclude"));
  return {
    outcome: filtered,
    message: null,
    decisions: [...decisions, ...excluding, ...raisedDecisions(held)],
    request: upstreamRequest(asked, first).body,
  };
}

/** Shows a draft's budget decision with the draft as its source instead of the subject. */
const decisionOf = (budget: ExhaustedBudget, action: "block" | "exclude") =>
  exhaustedDecisions([budget], action).map((decision) => ({
    ...decision,
    scope: budget.rule.source?.scope ?? decision.scope,
  }));

/** Lists every endpoint of a plan: affordable ones in order, then the others with the reasons for their exclusion. */
export function candidatesOf(
  { plan }: Pick<Verdict, "plan">,
  { candidates, exhausted }: Pick<Funding, "candidates" | "exhausted">,
  size: RequestSize,
): PolicyCheck["candidates"] {
  const unfunded = plan.candidates.filter((endpoint) => !candidates.includes(endpoint));
  const spending = (endpoint: Endpoint) => exhausted.filter(({ rule }) => chargeOf(rule, [endpoint], size) > 0n);
  const named = ({ model, provider }: Endpoint) => ({ model: model.slug, provider: provider.slug });
  return [
    ...candidates.map((endpoint) => ({ ...named(endpoint), included: true, excluded_by: [] })),
    ...unfunded.map((endpoint) => ({
      ...named(endpoint),
      included: false,
      excluded_by: spending(endpoint).flatMap((budget) => decisionOf(budget, "exclude")),
    })),
    ...plan.excluded.map((exclusion) => ({ ...exclusion, included: false })),
  ];
}

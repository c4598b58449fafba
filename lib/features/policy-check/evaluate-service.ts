import "server-only";
import { budgetRules, chargeOf } from "../../engine/budgets/budget";
import type { ExhaustedBudget, RequestSize } from "../../engine/budgets/budget-rule";
import { exhaustedAt, exhaustedDecisions, exhaustedDenial, raisedDecisions } from "../../engine/budgets/denial";
import type { Context } from "../../platform/context";
import type { Judging } from "../../gateway/checks/check-service";
import { decide, type FindEndpoints, type Verdict } from "../../gateway/decide-service";
import { findEndpoints } from "../../gateway/endpoints-store";
import type { Endpoint } from "../../engine/endpoint";
import { requestLimits } from "../../gateway/request-limits-service";
import { previewReservation, NO_RESERVATION, type Reservation } from "../../gateway/reservation-service";
import { billedRatios } from "../../records/providers/billed-ratios";
import type { UpstreamProtocol } from "../../engine/protocols/vocabulary";
import { requestSize } from "../../engine/routing/request-size";
import type { InferenceRequest } from "../../engine/protocols/inference-request";
import { upstreamRequest } from "../../engine/protocols/upstream-request";
import { withAnswer } from "./answer-service";
import { BODIES } from "./rules";
import type { CheckPolicyBody, PlannedState, PolicyCheck } from "./contract";
import { plannedEndpoints } from "./planned-catalogue";
import type { Layer } from "../../engine/policy/layers";
import type { Subject } from "./subject-service";

/**
 * Evaluates a valid request like inference, but stops before reservations and upstream calls. Calls external checks
 * unless their verdicts are given.
 */
export async function evaluate(
  context: Context,
  { request, protocol, answer }: Pick<CheckPolicyBody, "request" | "protocol" | "answer">,
  subject: Omit<Subject, "keyHash">,
  layers: Promise<readonly Layer[]>,
  judging: Judging = { kind: "call", generationId: null, callModel: null, ...subjectIds(subject) },
  planned?: PlannedState,
): Promise<PolicyCheck> {
  const inferenceRequest = { protocol, body: BODIES[protocol].parse(request) } as InferenceRequest;
  const inWorkspace: Context = { ...context, caller: { ...context.caller, workspaceId: subject.workspaceId } };
  const find: FindEndpoints = (...query) => (planned ? findPlanned(planned, ...query) : findEndpoints(...query));
  const { workspaceId, keyId, userId, tags, limit } = subject;
  const limits =
    tags === null
      ? Promise.resolve(() => [])
      : requestLimits(context, { workspaceId, keyId, userId, tags, isOfJudge: false });
  const verdict = await decide(inWorkspace, inferenceRequest, { layers, limit, limits }, judging, find);
  const size = requestSize(verdict.request, billedRatios.ratios);
  const rules = [
    ...budgetRules(verdict.layers, { ...subject, key: limit }),
    ...(await limits)(verdict.request, verdict.plan.candidates),
  ];
  const reservation = verdict.denial
    ? { ...NO_RESERVATION, candidates: verdict.plan.candidates }
    : await previewReservation(context, rules, verdict.plan.candidates, size);
  const decided = outcomeOf(verdict, reservation, size);
  const observed = (await verdict.observation?.ofRequest) ?? [];
  const check = {
    ...decided,
    decisions: [...decided.decisions, ...observed],
    candidates: candidatesOf(verdict, reservation, size),
  };
  return answer === undefined ? check : withAnswer(inWorkspace, verdict, check, { content: answer, judging });
}

/** Finds endpoints in a planned state of the catalogue. */
async function findPlanned(
  planned: PlannedState,
  ...[context, models]: Parameters<FindEndpoints>
): ReturnType<FindEndpoints> {
  const { endpoints, connections } = await findEndpoints(context, models);
  const rows = await context.db.provider.findMany({ where: { organizationId: context.caller.organizationId } });
  const providers = rows.map((row) => ({ ...row, protocol: row.protocol as UpstreamProtocol }));
  return { endpoints: plannedEndpoints(endpoints, providers, planned, models), connections };
}

const subjectIds = ({ keyId, userId }: Pick<Subject, "keyId" | "userId">) => ({ keyId, userId });

/** Outcomes of denials. */
export const OUTCOMES = {
  content: "blocked",
  unscanned: "blocked",
  check: "blocked",
  no_endpoint: "no_endpoint",
  unpriced: "blocked",
  budget: "budget_exhausted",
} as const;

function outcomeOf(
  { denial, decisions, filtered, request, plan }: Verdict,
  { candidates, exhausted, reserved }: Reservation,
  size: RequestSize,
): Omit<PolicyCheck, "candidates"> {
  if (denial) return { outcome: OUTCOMES[denial.kind], message: denial.error.message, decisions, request: null };
  const [first] = candidates;
  if (!first)
    return {
      outcome: "budget_exhausted",
      message: exhaustedDenial(exhausted, exhaustedAt(plan.candidates, exhausted, size)).message,
      decisions: [...decisions, ...exhausted.flatMap((budget) => decisionOf(budget, "block"))],
      request: null,
    };
  const excluding = exhausted.flatMap((budget) => decisionOf(budget, "exclude"));
  return {
    outcome: filtered,
    message: null,
    decisions: [...decisions, ...excluding, ...raisedDecisions(reserved, candidates, size)],
    request: upstreamRequest(request, first).body,
  };
}

/** Returns a draft's budget decision with the draft as its source instead of the subject. */
const decisionOf = (budget: ExhaustedBudget, action: "block" | "exclude") =>
  exhaustedDecisions([budget], action).map((decision) => ({
    ...decision,
    scope: budget.rule.source?.scope ?? decision.scope,
  }));

/** Lists every endpoint of a plan: affordable ones in order, then the others with the reasons for their exclusion. */
export function candidatesOf(
  { plan }: Pick<Verdict, "plan">,
  { candidates, exhausted }: Pick<Reservation, "candidates" | "exhausted">,
  size: RequestSize,
): PolicyCheck["candidates"] {
  const exhaustedEndpoints = plan.candidates.filter((endpoint) => !candidates.includes(endpoint));
  const spending = (endpoint: Endpoint) => exhausted.filter(({ rule }) => chargeOf(rule, [endpoint], size) > 0n);
  const named = ({ model, provider }: Endpoint) => ({ model: model.slug, provider: provider.slug });
  return [
    ...candidates.map((endpoint) => ({ ...named(endpoint), included: true, excluded_by: [] })),
    ...exhaustedEndpoints.map((endpoint) => ({
      ...named(endpoint),
      included: false,
      excluded_by: spending(endpoint).flatMap((budget) => decisionOf(budget, "exclude")),
    })),
    ...plan.excluded.map((exclusion) => ({ ...exclusion, included: false })),
  ];
}

import "server-only";
import { budgetRules } from "../budgets/budget-policy";
import type { ExhaustedBudget, RequestSize } from "../budgets/budget-rule";
import { exhaustedDecisions, exhaustedDenial } from "../budgets/denial-policy";
import type { Context } from "../context";
import type { Env } from "../env";
import { toGuardrail } from "../guardrails/rows";
import { findGuardrail } from "../guardrails/service";
import { ApiError, invalid, type Issue } from "../http/api-error";
import type { Input, Result } from "../http/operation";
import { decide, type Verdict } from "../inference/decide";
import type { Endpoint } from "../inference/endpoint";
import { chargeOf, foresee, NO_FUNDING, type Funding } from "../inference/funding";
import { maxOutputTokens, messagesOf, requestSize } from "../inference/request-size";
import type { Asked } from "../inference/asked";
import { upstreamRequest } from "../inference/upstream-request";
import { BODIES, checkIssues, within } from "./check-policy";
import type * as contract from "./contract";
import type { CheckPolicyBody, PolicyCheck } from "./contract";
import { draftLayer } from "./draft-policy";
import type { Layer } from "./layers";
import { loadLayers } from "./load-layers";
import { findSubject, type Subject } from "./subject";

export const inspectCheck = (body: Record<string, unknown>, { zdrVendors }: Env): Issue[] => checkIssues(body, zdrVendors);

/** Decides about a request as inference does, then stops before money or an upstream is touched. */
export async function check(context: Context, { body }: Input<typeof contract.checkPolicy>): Promise<Result<typeof contract.checkPolicy>> {
  const subject = await findSubject(context, body);
  const { protocol } = body;
  const asked = { protocol, body: BODIES[protocol].parse(body.request) } as Asked;
  const inWorkspace: Context = { ...context, caller: { ...context.caller, workspaceId: subject.workspaceId } };
  const verdict = await decide(inWorkspace, asked, layersOf(context, subject, body)).catch(blameRequest);
  const size = requestSize(messagesOf(verdict.asked), maxOutputTokens(verdict.asked));
  const rules = budgetRules(verdict.layers, { ...subject, key: subject.limit });
  const funding = verdict.denial ? { ...NO_FUNDING, candidates: verdict.plan.candidates } : await foresee(context, rules, verdict.plan.candidates, size);
  return { data: { ...outcomeOf(verdict, funding), candidates: candidatesOf(verdict, funding, size) } };
}

async function layersOf(context: Context, subject: Subject, { guardrails = [] }: CheckPolicyBody): Promise<Layer[]> {
  const { db, settings } = context;
  const draft = async (given: NonNullable<CheckPolicyBody["guardrails"]>[number]): Promise<Layer> =>
    typeof given["id"] === "string"
      ? { scope: "draft", guardrail: toGuardrail(await findGuardrail(db, context, given["id"]), settings.zdrVendors) }
      : draftLayer(given, settings.zdrVendors);
  const [inForce, drafts] = await Promise.all([loadLayers(db, subject, settings.zdrVendors), Promise.all(guardrails.map(draft))]);
  return [...inForce, ...drafts];
}

/** A fault that only shows when the request is decided: its path leads into `request`. */
function blameRequest(error: unknown): never {
  const issues = error instanceof ApiError && error.status === 400 ? (error.metadata?.["issues"] as Issue[] | undefined) : undefined;
  throw issues ? invalid(within(["request"], issues)) : error;
}

const OUTCOMES = { content: "blocked", unscanned: "blocked", no_endpoint: "no_endpoint", budget: "budget_exhausted" } as const;

function outcomeOf({ denial, decisions, filtered, asked }: Verdict, { candidates: [first], exhausted }: Funding): Omit<PolicyCheck, "candidates"> {
  if (denial) return { outcome: OUTCOMES[denial.kind], message: denial.error.message, decisions, request: null };
  if (!first) return { outcome: "budget_exhausted", message: exhaustedDenial(exhausted).message, decisions: [...decisions, ...exhausted.flatMap((budget) => decisionOf(budget, "block"))], request: null };
  const excluding = exhausted.flatMap((budget) => decisionOf(budget, "exclude"));
  return { outcome: filtered, message: null, decisions: [...decisions, ...excluding], request: upstreamRequest(asked, first).body };
}

/** A draft's budget is recorded as that of its subject; here it shows where it comes from. */
const decisionOf = (budget: ExhaustedBudget, action: "block" | "exclude") =>
  exhaustedDecisions([budget], action).map((decision) => ({ ...decision, scope: budget.rule.source?.scope ?? decision.scope }));

function candidatesOf({ plan }: Verdict, { candidates, exhausted }: Funding, size: RequestSize): PolicyCheck["candidates"] {
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

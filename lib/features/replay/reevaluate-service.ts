import "server-only";
import { checkDecisions, checkDenial, outcomeWith, type CheckResult } from "../../engine/checks/check-result";
import { type CheckRule, checkIdentity, checkRules } from "../../engine/policy/check-rules";
import { filterInput } from "../../gateway/filters/filter-service";
import { contentBlock, findingsToDecisions, outcomeOf, type FilterFinding } from "../../engine/filters/findings";
import { ScanFailure } from "../../engine/filters/scan-failure";
import type { Decision } from "../../engine/decision/contract";
import type { ChatMessage } from "../../engine/protocols/contracts/chat-messages-contract";
import type { Endpoint } from "../../engine/endpoint";
import { combineDecisions } from "../../engine/decision/combine-decisions";
import { plan, type PlanContext, type Plan } from "../../engine/routing/plan";
import type { PolicyFacts } from "../../gateway/record/policy-facts";
import type { PolicyCheck } from "../policy-check/contract";
import { OUTCOMES } from "../policy-check/evaluate-service";
import type { Layer } from "../../engine/policy/layers";
import type { Direction } from "../../engine/filters/vocabulary";
import type { Obstacle } from "./vocabulary";
import { allFindings, ignoredPhrases, type Evidence } from "./evidence";
import type { StoredTexts } from "./selection-store";

type ReadLimits = Parameters<typeof filterInput>[2];

/** A recorded request with the objects that its facts refer to. */
export interface Recorded {
  facts: PolicyFacts;
  /** The layers in force at the time. */
  layers: readonly Layer[];
  endpoints: readonly Endpoint[];
  decisions: readonly Decision[];
}

/** A recorded request, the policy to replay, and the evidence of what this policy finds in the request. */
export interface Replayable extends Recorded {
  /** The layers to replay. */
  now: readonly Layer[];
  /** Evidence about the request, without an obstacle. */
  evidence: Evidence;
  /** Evidence about the response; null without one. */
  answer: Evidence | null;
}

/** A policy's result for a recorded request, before budgets. */
interface Reverdict {
  outcome: PolicyCheck["outcome"];
  message: string | null;
  decisions: Decision[];
  plan: Plan;
  /** True when the request would be denied; false when it would be sent, even if its response would be blocked. */
  isDenied: boolean;
  /** Findings in the stored text, with spans; recorded findings have no spans in it. */
  read: readonly FilterFinding[];
}

/**
 * Re-evaluates a recorded request with the enforcement code. Reads `texts` only if the evidence leaves something
 * unknown. External checks have their recorded verdict. Returns the obstacle if the scan didn't finish or a check
 * wasn't called.
 */
export async function reevaluate(
  { now: layers, evidence, answer, ...recorded }: Replayable,
  texts: StoredTexts,
  limits: Omit<ReadLimits, "queue">,
  conditions: Partial<PlanContext> = {},
): Promise<Reverdict | Obstacle> {
  const read = await readStored(evidence, texts.messages, limits);
  if (!read) return "filters_failed";
  const findings = allFindings(evidence, read);
  const planned = replan(recorded, layers, conditions);
  const { models } = recorded.facts;
  const local = combineDecisions({ models, findings, planned });
  const checked = local.denial ? [] : recordedChecks(recorded, checkRules(layers), "request");
  if (!checked) return "not_checked";
  const { decisions, denial } = combineDecisions({ models, findings, planned, checked });
  const common = { plan: planned, isDenied: denial !== null, read };
  if (denial) return { ...common, outcome: OUTCOMES[denial.kind], message: denial.error.message, decisions };
  const checkedAnswer = answer ? recordedChecks(recorded, checkRules(layers, "response"), "response") : [];
  const withheld = checkedAnswer && checkDenial(checkedAnswer, "response");
  if (answer?.obstacle && !withheld) return answer.obstacle;
  const readResponse = answer ? await readStored(answer, texts.answer ? [texts.answer] : [], limits) : [];
  if (!readResponse) return "filters_failed";
  const inAnswer = answer ? allFindings(answer, readResponse.map(inChoice)) : [];
  const block = contentBlock(inAnswer, "response");
  const answerChecks = block ? [] : checkedAnswer;
  if (!answerChecks) return "not_checked";
  const error = block ?? checkDenial(answerChecks, "response")?.error ?? null;
  return {
    ...common,
    outcome: error ? "blocked" : outcomeWith(outcomeOf([...findings, ...inAnswer]), [...checked, ...answerChecks]),
    message: error?.message ?? null,
    decisions: [
      ...decisions,
      ...findingsToDecisions(inAnswer, "response"),
      ...checkDecisions(answerChecks, "response"),
    ],
  };
}

/** Names the place of a match in a stored response like the gateway. */
const inChoice = (finding: FilterFinding): FilterFinding => ({
  ...finding,
  spans: finding.spans.map(({ path: [, , ...rest], ...span }) => ({
    ...span,
    path: ["choices", 0, "message", ...rest],
  })),
});

/** Returns a check's current action. A judge's action may have changed since the request; its score hasn't. */
const judgedAs = (rule: CheckRule, verdict: CheckResult["verdict"]): CheckResult["verdict"] =>
  rule.field === "judges" && (verdict === "block" || verdict === "flag") ? rule.action : verdict;

/** Returns the recorded verdict of each check; null when one of them wasn't called. */
function recordedChecks(
  { facts, decisions }: Recorded,
  rules: readonly CheckRule[],
  direction: Direction,
): CheckResult[] | null {
  const called = direction === "request" ? facts.checks : facts.answer_checks;
  const results = rules.flatMap((rule): CheckResult[] => {
    const identity = checkIdentity(rule);
    const known = called?.find(({ check }) => check === identity);
    const spans = decisions.find(
      (decision) =>
        decision.field === rule.field && decision.rule === rule.name && (decision.direction ?? "request") === direction,
    )?.spans;
    return known
      ? [{ rule, identity, verdict: judgedAs(rule, known.verdict), reason: known.reason ?? null, spans: spans ?? [] }]
      : [];
  });
  return results.length === rules.length ? results : null;
}

/** Scans stored content with rules missing in the record, on low-priority threads; null when the scan didn't finish. */
async function readStored(
  evidence: Evidence,
  messages: readonly ChatMessage[],
  limits: ReadLimits,
): Promise<readonly FilterFinding[] | null> {
  const rules = evidence.unknown.flatMap((place) => evidence.rules[place] ?? []);
  if (rules.length === 0) return [];
  try {
    const input = { protocol: "chat_completions" as const, body: { messages } };
    return (await filterInput(input, rules, { ...limits, queue: "replay" }, ignoredPhrases(evidence))).findings;
  } catch (error) {
    if (error instanceof ScanFailure) return null;
    throw error;
  }
}

/** Orders endpoints with the recorded random numbers, because speeds at the time are unknown. */
export function replan(
  { facts, endpoints }: Recorded,
  layers: readonly Layer[],
  conditions: Partial<PlanContext> = {},
): Plan {
  const { models, preferences, parameters, route, unconvertible, stored, draws, zdr_vendors, unpriced } = facts;
  let drawn = 0;
  const random = () => draws[drawn++ % draws.length] ?? 0;
  const request = {
    models,
    preferences,
    parameters,
    route,
    ...(unconvertible && { unconvertible }),
    ...(stored && { isStored: stored }),
  };
  return plan(request, endpoints, {
    layers,
    zdrVendors: zdr_vendors,
    unpriced,
    speeds: new Map(),
    random,
    ...conditions,
  });
}

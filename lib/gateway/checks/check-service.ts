import "server-only";
import { checkIdentity, type CheckRule, type EndpointRule, type JudgeRule } from "../../engine/policy/check-rules";
import type { CheckResult } from "../../engine/checks/check-result";
import {
  checkTexts,
  replacedPart,
  rewrittenLeaves,
  type CheckText,
  type Replaced,
} from "../../engine/checks/check-texts";
import { judgeRequest, readVerdict } from "../../engine/checks/judge-request";
import { plainReason, unavailable, type CheckVerdict } from "../../engine/checks/read-response";
import { CHECK_VERSION, type CheckRequest, type LiteLlmRequest } from "../../engine/checks/wire-contract";
import type { Leaf } from "../../engine/filters/leaves";
import type { InferenceRequest } from "../../engine/protocols/inference-request";
import { judgeLayers } from "../../engine/policy/judge-layers";
import type { Layer } from "../../engine/policy/layers";
import type { ExhaustedBudget } from "../../engine/budgets/budget-rule";
import { ApiError } from "../../platform/api-error";
import type { Context } from "../../platform/context";
import { uuidv7 } from "../../platform/ids";
import { randomBase62 } from "../../platform/secrets";
import { standardSignal } from "../../platform/signal";
import type { CheckVerdicts } from "../../engine/checks/contract";
import type { Direction } from "../../engine/filters/vocabulary";
import { openCheckSecret } from "../../records/guardrails/check-secret-rows";
import { signedHeaders } from "../../records/webhooks/signature";
import { callEndpoint } from "./endpoint-client";

/**
 * Sends a judge's request as a separate request under the layers. Returns the text of its response, or the budgets that
 * denied it.
 */
export type CallModel = (
  body: ReturnType<typeof judgeRequest>,
  layers: readonly Layer[],
  signal: AbortSignal,
) => Promise<string | readonly ExhaustedBudget[]>;

/** A check or judge and its verdict. */
export interface CalledCheck extends Pick<CheckRule, "field" | "name">, Pick<CheckResult, "verdict"> {
  direction: Direction;
}

/** Source of the verdicts of checks. */
export type Judging =
  | {
      kind: "call";
      /** Null for a policy check, which records nothing. */
      generationId: string | null;
      keyId: string | null;
      userId: string | null;
      /** Null for a policy check, which doesn't spend. */
      callModel: CallModel | null;
      /** Called after each call of a check or judge, with its duration. */
      onCalled?: (called: CalledCheck, start: number, ms: number) => void;
    }
  /** Verdicts by the name of the check; a missing one allows. Nothing is called. */
  | { kind: "given"; verdicts: CheckVerdicts };

/** A request or a response to judge. */
export interface Judged<Value> {
  direction: Direction;
  protocol: InferenceRequest["protocol"];
  models: readonly string[];
  value: Value;
  leavesOf: (value: Value) => Iterable<Leaf | null>;
  /** Returns the value with the new texts in place of their leaves. */
  write: (value: Value, texts: ReadonlyMap<Leaf, string>) => Value;
}

export interface Checked<Value> {
  results: CheckResult[];
  /** The request or response with the replacements of all checks. */
  value: Value;
}

/**
 * Calls every check in parallel, with a request or response that the content filters have passed. If two checks replace
 * the same text, the later one is called again with the earlier replacement, so that no replacement undoes another.
 */
export async function runChecks<Value>(
  context: Context,
  { rules, layers }: { rules: readonly CheckRule[]; layers: readonly Layer[] },
  judged: Judged<Value>,
  judging: Judging,
): Promise<Checked<Value>> {
  const { direction, protocol, models } = judged;
  const textsOf = (value: Value) => checkTexts(judged.leavesOf(value));
  const verdictOf = async (rule: CheckRule, texts: readonly CheckText[]) => {
    if (judging.kind === "given") return givenVerdict(judging.verdicts[rule.name], direction);
    const start = performance.now();
    const verdict = await (rule.field === "judges"
      ? callJudge(context, rule, texts, { layers, direction, judging })
      : callCheck(context, rule, texts, { direction, protocol, models, judging }));
    const { field, name } = rule;
    judging.onCalled?.({ field, name, direction, verdict: verdict.verdict }, start, performance.now() - start);
    return verdict;
  };
  const texts = textsOf(judged.value);
  const verdicts = await Promise.all(rules.map((rule) => verdictOf(rule, texts)));
  const results: CheckResult[] = [];
  const written = new Set<string>();
  let { value } = judged;
  for (const [index, rule] of rules.entries()) {
    let [verdict, read] = [verdicts[index] as CheckVerdict, texts];
    if (verdict.verdict === "redact" && replacedLeaves(texts, verdict).some((place) => written.has(place))) {
      read = textsOf(value);
      verdict = await verdictOf(rule, read);
    }
    const spans: Replaced[] = [];
    if (verdict.verdict === "redact") {
      const rewritten = rewrittenLeaves(read, verdict.replacements);
      for (const { path } of rewritten.keys()) written.add(JSON.stringify(path));
      value = judged.write(value, rewritten);
      for (const [place, replacement] of verdict.replacements)
        spans.push(replacedPart(read[place] as CheckText, replacement));
    }
    results.push({
      rule,
      identity: checkIdentity(rule),
      verdict: verdict.verdict,
      reason: "reason" in verdict ? verdict.reason : null,
      spans: spans.slice(0, MAX_SPANS),
      ...("exhausted" in verdict && { exhausted: verdict.exhausted }),
    });
  }
  return { results, value };
}

/** Maximum number of spans recorded per check; all replacements are applied. */
const MAX_SPANS = 100;

const replacedLeaves = (texts: readonly CheckText[], { replacements }: CheckVerdict & { verdict: "redact" }) =>
  [...replacements.keys()].map((index) => JSON.stringify(texts[index]?.leaf.path));

const NO_REPLACEMENTS: ReadonlyMap<number, string> = new Map();

function givenVerdict(given: CheckVerdicts[string] = {}, direction: Direction): CheckVerdict {
  const verdict = typeof given === "string" ? given : (given[direction] ?? "allow");
  if (verdict === "allow") return { verdict };
  if (verdict === "redact") return { verdict, reason: null, replacements: NO_REPLACEMENTS };
  return verdict === "block" || verdict === "flag"
    ? { verdict, reason: null }
    : unavailable("Simulated by the policy test");
}

interface Facts {
  direction: Direction;
  protocol: InferenceRequest["protocol"];
  models: readonly string[];
  judging: Judging & { kind: "call" };
}

/**
 * Calls a model. The request is a separate generation, charged to the same budgets. A request that misses its deadline
 * ends in the background, so that its cost is recorded.
 */
async function callJudge(
  { signal }: Context,
  rule: JudgeRule,
  texts: readonly CheckText[],
  { layers, direction, judging }: { layers: readonly Layer[] } & Pick<Facts, "direction" | "judging">,
): Promise<CheckVerdict> {
  const { callModel, generationId } = judging;
  if (!callModel || generationId === null) return { verdict: "skip", reason: "Policy checks don't call judges" };
  const deadline = AbortSignal.any([standardSignal(signal), AbortSignal.timeout(rule.timeoutMs)]);
  const body = judgeRequest(
    rule,
    texts.map(({ text }) => text),
    { marker: `content-${randomBase62(16)}`, judgedId: generationId, direction },
  );
  const late = unavailable(`No response within ${rule.timeoutMs / 1000} s`);
  const ended = new Promise<null>((resolve) => {
    deadline.addEventListener("abort", () => resolve(null), { once: true });
  });
  const answering = callModel(body, judgeLayers(layers), deadline);
  answering.catch(() => undefined);
  try {
    const answer = await Promise.race([answering, ended]);
    signal.throwIfAborted();
    if (answer === null) return late;
    if (typeof answer === "string") return readVerdict(answer, rule);
    return { verdict: "unaffordable", reason: "Budget exhausted", exhausted: answer };
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted) return late;
    if (error instanceof ApiError) return unavailable(plainReason(error.message) ?? "The model failed");
    throw error;
  }
}

async function callCheck(
  context: Context,
  rule: EndpointRule,
  texts: readonly CheckText[],
  facts: Facts,
): Promise<CheckVerdict> {
  const { settings, now, signal } = context;
  const secret =
    rule.secret === null ? null : "plain" in rule.secret ? rule.secret.plain : openCheckSecret(settings, rule.secret);
  const id = `chk_${uuidv7(now)}`;
  const body = JSON.stringify(
    rule.format === "litellm" ? liteLlmRequest(context, texts, facts) : ownRequest(context, rule, texts, facts, id),
  );
  const headers: Readonly<Record<string, string>> =
    rule.format === "litellm"
      ? secret === null
        ? {}
        : { authorization: `Bearer ${secret}`, "x-api-key": secret }
      : signedHeaders(secret === null ? [] : [secret], id, now, body);
  return callEndpoint(settings, rule, { headers, body }, texts, signal);
}

const ownRequest = (
  { caller }: Context,
  { name }: EndpointRule,
  texts: readonly CheckText[],
  { direction, protocol, models, judging: { generationId, keyId, userId } }: Facts,
  id: string,
): CheckRequest => ({
  version: CHECK_VERSION,
  id,
  check: name,
  type: direction,
  dry_run: generationId === null,
  generation_id: generationId,
  organization_id: caller.organizationId,
  workspace_id: caller.workspaceId,
  key_id: keyId,
  user_id: userId,
  protocol,
  models: [...models],
  texts: texts.map(({ text, leaf: { path, isUser } }) => ({ path: [...path], text, is_user: isUser })),
});

const liteLlmRequest = (
  { caller }: Context,
  texts: readonly CheckText[],
  { direction, judging: { generationId, keyId, userId } }: Facts,
): LiteLlmRequest => ({
  input_type: direction,
  texts: texts.map(({ text }) => text),
  request_data: {
    user_api_key_hash: keyId,
    user_api_key_user_id: userId,
    user_api_key_team_id: caller.workspaceId,
    user_api_key_org_id: caller.organizationId,
  },
  litellm_call_id: generationId,
  litellm_trace_id: null,
  additional_provider_specific_params: {},
});

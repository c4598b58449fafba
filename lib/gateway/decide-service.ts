import "server-only";
import { checkRules } from "../engine/policy/check-rules";
import { outcomeWith, type CheckResult } from "../engine/checks/check-result";
import { runChecks, type Judging } from "./checks/check-service";
import type { FilterFinding, FilterOutcome } from "../engine/filters/findings";
import { leavesOf } from "../engine/filters/leaves";
import { CopyOnWrite } from "../engine/filters/write-back";
import { filterInput, type FilterVerdict } from "./filters/filter-service";
import { scanLimits } from "./filters/scan-service";
import type { FilterRule } from "../engine/filters/filter-rule";
import { ScanFailure } from "../engine/filters/scan-failure";
import type { BudgetRule, KeyLimit } from "../engine/budgets/budget-rule";
import { limitTerms } from "../engine/budgets/limit";
import { allowsUnpriced } from "../records/workspaces/unpriced-store";
import type { Context } from "../platform/context";
import type { Decision } from "../engine/decision/contract";
import { invalid, type Issue } from "../platform/api-error";
import { hasNul } from "../platform/json-values";
import type { Exception } from "../engine/policy/exception";
import { unpricedTerms, type UnpricedTerms } from "../engine/policy/unpriced-models";
import { phrasesOf } from "../engine/policy/active-exceptions";
import { filterRules } from "../engine/policy/filter-rules";
import { layersByMode, type Layer } from "../engine/policy/layers";
import { applyPreset, type AppliedPreset } from "../records/presets/apply-service";
import { abandonedScan, unscannedContent, type Denial } from "../engine/decision/denial";
import type { UpstreamProtocol } from "../engine/protocols/vocabulary";
import { speeds } from "../records/providers/endpoint-health";
import type { Endpoint, Protocol } from "../engine/endpoint";
import { expandRequestedModels, findEndpoints, type Connections } from "./endpoints-store";
import { Observation } from "./observation-service";
import { combineDecisions } from "../engine/decision/combine-decisions";
import { plan, type Plan, type RoutingRequest, type Unconvertibles } from "../engine/routing/plan";
import { suppliedParameters } from "../engine/routing/preferences";
import type { InferenceRequest } from "../engine/protocols/inference-request";
import { betasOf } from "./upstream/forwarded-headers";
import { unknownFields } from "../engine/protocols/known-fields";
import { unconvertible } from "../engine/protocols/upstream-request";

/** Maximum number of models in one request. */
export const MAX_MODELS = 100;

/**
 * The decision about a request before an upstream is called or budget is reserved
 * (docs/semantics.md#policy-evaluation).
 */
export interface Verdict<A extends InferenceRequest = InferenceRequest> {
  /** The request with preset fields merged in and content redacted. */
  request: A;
  /** The request with preset fields merged in, before redaction. */
  original: A;
  preset: AppliedPreset | null;
  /** The layers that are enforced. */
  layers: readonly Layer[];
  /** All layers, also those that only observe. */
  counted: readonly Layer[];
  /** Null without a layer that observes. */
  observation: Observation | null;
  models: [string, ...string[]];
  routing: RoutingRequest;
  /** All endpoints of the requested models, before policy is applied. */
  endpoints: readonly Endpoint[];
  /** Random numbers used to order the endpoints. */
  draws: readonly number[];
  filtered: FilterOutcome;
  findings: readonly FilterFinding[];
  /** Verdicts of external checks; empty when none was called. */
  checks: readonly CheckResult[];
  decisions: Decision[];
  plan: Plan;
  connections: Connections;
  /** Settings that decided about unpriced models; undefined when each endpoint has a price. */
  unpriced: UnpricedTerms | undefined;
  /** Names of request fields that Signalbox doesn't know. */
  unknown: readonly string[];
  /** True when a text of the request contains NUL, which the record replaces. */
  hasNul: boolean;
  denial: Denial | null;
  /** Durations in milliseconds. */
  timings: { policy: number; filters: number; checks: number };
}

/** Returns the limits of the organization that count a request, of those that may serve it. */
export type RulesOf = (request: InferenceRequest, endpoints: readonly Endpoint[]) => readonly BudgetRule[];

/** Finds the endpoints of models; a policy check can pass planned ones. */
export type FindEndpoints = typeof findEndpoints;

/**
 * Evaluates preset → layers → content filters → candidates → external checks. Calls no upstream, reserves no budget and
 * writes nothing.
 */
export async function decide<A extends InferenceRequest>(
  context: Context,
  request: A,
  policy: { layers: Promise<readonly Layer[]>; limit: KeyLimit; limits: Promise<RulesOf> },
  judging: Judging,
  find: FindEndpoints = findEndpoints,
): Promise<Verdict<A>> {
  const start = performance.now();
  const [{ body, preset }, counted, rulesOf] = await Promise.all([
    applyPreset(context, request.protocol, request.body),
    policy.layers,
    policy.limits,
  ]);
  const original: A = { ...request, body };
  const models = await requestedModels(context, namedModels(body));
  const { settings } = context;
  const { enforced: layers, observed } = layersByMode(counted);
  const resolved = performance.now();
  const [{ filtered, failure, ms }, { endpoints, connections }] = await Promise.all([
    scan(context, request.protocol, body, filterRules(layers), phrasesOf(layers)),
    find(context, models),
  ]);
  const conversion = convertibility(original, endpoints);
  const routing: RoutingRequest = {
    models,
    preferences: body.provider ?? {},
    parameters: suppliedParameters(body),
    route: body.route,
    ...(conversion && { unconvertible: conversion.fields }),
    ...(body["store"] === true && { isStored: true }),
  };
  const unpriced = endpoints.some(({ prices }) => prices === null)
    ? unpricedTerms(
        await allowsUnpriced(context.db, context.caller.workspaceId),
        policy.limit,
        limitTerms(rulesOf(original, endpoints)),
      )
    : undefined;
  const draws: number[] = [];
  const random = () => draws[draws.push(context.random()) - 1] as number;
  const { zdrVendors } = settings;
  const planned = plan(routing, endpoints, { layers, zdrVendors, unpriced, speeds: speeds(), random });
  const results = { models, findings: filtered.findings, planned, unconvertible: conversion?.issues ?? [] };
  const local = combineDecisions({ ...results, failure });
  const rules = local.denial ? [] : checkRules(layers);
  const scanned: A = { ...request, body: filtered.body };
  const checked =
    rules.length === 0
      ? { results: [], request: scanned, failure: null, ms: 0 }
      : await check(context, { rules, layers }, scanned, models, judging);
  const { decisions, denial } =
    rules.length === 0 ? local : combineDecisions({ ...results, failure: checked.failure, checked: checked.results });
  const observation = observed.length === 0 ? null : new Observation(context, observed, judging);
  observation?.begin({
    request: checked.request,
    models,
    candidates: planned.candidates,
    unpriced,
    isStored: routing.isStored ?? false,
    isDenied: denial !== null,
  });
  return {
    request: checked.request,
    original,
    preset,
    layers,
    counted,
    observation,
    models,
    routing,
    endpoints,
    draws,
    filtered: outcomeWith(filtered.outcome, checked.results),
    findings: filtered.findings,
    checks: checked.results,
    decisions,
    denial,
    plan: planned,
    connections,
    unpriced,
    unknown: unknownFields(request.protocol, body),
    hasNul: hasNul(body),
    timings: { policy: resolved - start, filters: ms, checks: checked.ms },
  };
}

/** Returns the fields that endpoints of other protocols can't receive; null when they accept all. */
function convertibility(
  request: InferenceRequest,
  endpoints: readonly Endpoint[],
): { fields: Unconvertibles; issues: Issue[] } | null {
  const fields: Record<string, string[]> = {};
  const issues = new Map<string, Issue>();
  for (const endpoint of endpoints) {
    const { id, provider } = endpoint;
    if (provider.protocol === request.protocol) continue;
    const parts = unconvertible(request, endpoint).slice(0, MOST_UNCONVERTIBLE);
    if (parts.length === 0) continue;
    fields[id] = parts.map(({ path }) => path.join(".").slice(0, 100));
    for (const { path, message } of parts)
      issues.set(path.join("."), {
        path: [...path],
        message: `${message} (${UPSTREAM[provider.protocol]})`,
        code: "unconvertible",
      });
  }
  return issues.size > 0 ? { fields, issues: [...issues.values()] } : null;
}

/** Maximum number of fields named for one endpoint. */
const MOST_UNCONVERTIBLE = 20;
const UPSTREAM = {
  chat_completions: "the model is served by a Chat Completions upstream",
  responses: "the model is served by a Responses upstream",
  messages: "the model is served by a Messages upstream",
  generate_content: "the model is served by a Gemini upstream",
  converse: "the model is served by a Converse upstream",
} as const satisfies Record<UpstreamProtocol, string>;

/** Runs the checks. Throws if the client has disconnected. */
async function check<A extends InferenceRequest>(
  context: Context,
  rules: Parameters<typeof runChecks>[1],
  request: A,
  models: readonly string[],
  judging: Judging,
): Promise<{ results: readonly CheckResult[]; request: A; failure: Denial | null; ms: number }> {
  const start = performance.now();
  const { protocol, body } = request;
  try {
    const { results, value } = await runChecks<A["body"]>(
      context,
      rules,
      {
        direction: "request",
        protocol,
        models,
        value: body,
        leavesOf: (current) => leavesOf(protocol, current),
        write: (current, texts) => {
          const copy = new CopyOnWrite(current);
          for (const [{ path }, text] of texts) copy.write(path, text);
          return copy.value;
        },
      },
      judging,
    );
    return { results, request: { ...request, body: value }, failure: null, ms: performance.now() - start };
  } catch (error) {
    if (!context.signal.aborted) throw error;
    return { results: [], request, failure: abandonedScan(), ms: performance.now() - start };
  }
}

interface Scan<Body extends object> {
  filtered: FilterVerdict<Body>;
  failure: Denial | null;
  ms: number;
}

async function scan<Body extends InferenceRequest["body"]>(
  context: Context,
  protocol: Protocol,
  body: Body,
  rules: readonly FilterRule[],
  phrases: readonly Exception[],
): Promise<Scan<Body>> {
  const start = performance.now();
  const limits = scanLimits(context);
  try {
    return {
      filtered: await filterInput({ protocol, body, betas: betasOf(protocol, context.client) }, rules, limits, phrases),
      failure: null,
      ms: performance.now() - start,
    };
  } catch (error) {
    if (!(error instanceof ScanFailure) && !context.signal.aborted) throw error;
    const failure = error instanceof ScanFailure ? unscannedContent(error) : abandonedScan();
    return { filtered: { outcome: "blocked", findings: [], body }, failure, ms: performance.now() - start };
  }
}

/** Replaces wildcards with the models they cover, up to the maximum per request. */
async function requestedModels(context: Context, named: [string, ...string[]]): Promise<[string, ...string[]]> {
  const [first = named[0], ...others] = await expandRequestedModels(context, named);
  return [first, ...others.slice(0, MAX_MODELS - 1)];
}

/** Returns the requested models in order of preference. */
export function namedModels({
  model,
  models = [],
}: Pick<InferenceRequest["body"], "model" | "models">): [string, ...string[]] {
  const [first, ...rest] = new Set([...(model === undefined ? [] : [model]), ...models]);
  if (first === undefined) throw invalid([{ path: ["model"], message: "is required", code: "invalid_type" }]);
  if (rest.length >= MAX_MODELS)
    throw invalid([{ path: ["models"], message: `must name at most ${MAX_MODELS} models`, code: "too_big" }]);
  return [first, ...rest];
}

import "server-only";
import { checkDecisions } from "../engine/checks/check-result";
import type { Decision } from "../engine/decision/contract";
import { exclusionDecisions } from "../engine/decision/exclusion-decisions";
import { observedDecisions } from "../engine/decision/observed-decisions";
import type { Endpoint } from "../engine/endpoint";
import type { FilterRule } from "../engine/filters/filter-rule";
import { findingsToDecisions } from "../engine/filters/findings";
import { leavesOf, type Leaf } from "../engine/filters/leaves";
import { responseTexts } from "../engine/filters/response-texts";
import { phrasesOf } from "../engine/policy/active-exceptions";
import { checkRules } from "../engine/policy/check-rules";
import { filterRules } from "../engine/policy/filter-rules";
import type { Layer } from "../engine/policy/layers";
import { refusalsOf } from "../engine/policy/routing";
import { unpricedRefusals, type UnpricedTerms } from "../engine/policy/unpriced-models";
import { asUsed } from "../engine/routing/plan";
import type { AccumulatedChoice, AccumulatedResponse } from "../engine/protocols/accumulate";
import type { InferenceRequest } from "../engine/protocols/inference-request";
import type { Context } from "../platform/context";
import { logger } from "../platform/logger";
import { PlainSignal } from "../platform/signal";
import { runChecks, type Judging } from "./checks/check-service";
import { filterInput } from "./filters/filter-service";
import { ResponseScan } from "./filters/response-scan-service";
import { scanLimits } from "./filters/scan-service";
import { betasOf } from "./upstream/forwarded-headers";

interface Observed {
  /** The request that the enforced guardrails let pass. */
  request: InferenceRequest;
  models: readonly string[];
  /** The endpoints that the enforced guardrails allow. */
  candidates: readonly Endpoint[];
  unpriced: UnpricedTerms | undefined;
  /** True when the request asks the upstream to store its answer. */
  isStored: boolean;
  isDenied: boolean;
}

/**
 * What guardrails that only observe would have done to a request and its response (docs/observe.md). Only the record waits for it,
 * and a failure leaves the request as it is.
 */
export class Observation {
  readonly #context: Context;
  #request: Promise<Decision[]> = Promise.resolve([]);

  /** @param layers The guardrails that observe. */
  constructor(
    context: Context,
    private readonly layers: readonly Layer[],
    private readonly judging: Judging,
  ) {
    // The client may have disconnected before everything is evaluated.
    this.#context = { ...context, signal: new PlainSignal() };
  }

  /** Begins to evaluate a request. External checks and judges aren't called for a denied one. */
  begin(observed: Observed): void {
    this.#request = quietly(async () => {
      const [matches, verdicts] = await Promise.all([this.#matches(observed), this.#verdicts(observed)]);
      return [...matches, ...verdicts, ...this.#exclusions(observed)];
    });
  }

  /** Returns the decisions about the request. */
  get ofRequest(): Promise<Decision[]> {
    return this.#request;
  }

  /** Returns the decisions about a response. */
  ofResponse(
    response: AccumulatedResponse,
    { protocol, model }: { protocol: InferenceRequest["protocol"]; model: string },
  ): Promise<Decision[]> {
    return quietly(async () => {
      const [matches, verdicts] = await Promise.all([
        this.#responseMatches(response),
        this.#responseVerdicts(response, protocol, model),
      ]);
      return [...matches, ...verdicts];
    });
  }

  async #matches({ request: { protocol, body } }: Observed): Promise<Decision[]> {
    const rules = filterRules(this.layers);
    if (rules.length === 0) return [];
    const betas = betasOf(protocol, this.#context.client);
    const limits = scanLimits(this.#context);
    const { findings } = await filterInput({ protocol, body, betas }, rules, limits, phrasesOf(this.layers));
    return findingsToDecisions(findings);
  }

  async #verdicts({ request, models, isDenied }: Observed): Promise<Decision[]> {
    const rules = checkRules(this.layers);
    if (rules.length === 0 || isDenied) return [];
    const { protocol, body } = request;
    const judged = {
      direction: "request",
      protocol,
      models,
      value: body,
      leavesOf: (value: InferenceRequest["body"]) => leavesOf(protocol, value),
      write: (value: InferenceRequest["body"]) => value,
    } as const;
    const { results } = await runChecks(this.#context, { rules, layers: this.layers }, judged, this.judging);
    return checkDecisions(results);
  }

  #exclusions({ candidates, unpriced, isStored }: Observed): Decision[] {
    const { zdrVendors } = this.#context.settings;
    const excluded = candidates.flatMap((endpoint) => {
      const excluded_by = [
        ...refusalsOf(this.layers, asUsed(endpoint, isStored), zdrVendors),
        ...(unpriced ? unpricedRefusals(this.layers, endpoint, { ...unpriced, key_limit: "none", limits: [] }) : []),
      ];
      return excluded_by.length > 0
        ? [{ model: endpoint.model.slug, provider: endpoint.provider.slug, excluded_by }]
        : [];
    });
    const decisions = exclusionDecisions(excluded);
    // Without an endpoint, the request would have been denied.
    return excluded.length === candidates.length
      ? decisions.map((decision) => ({ ...decision, action: "block" }))
      : decisions;
  }

  async #responseMatches(response: AccumulatedResponse): Promise<Decision[]> {
    const rules = filterRules(this.layers, "response");
    if (rules.length === 0) return [];
    const flags = new Map(rules.map((rule): [FilterRule, FilterRule] => [{ ...rule, action: "flag" }, rule]));
    const scan = new ResponseScan({
      rules: [...flags.keys()],
      phrases: phrasesOf(this.layers),
      limits: scanLimits(this.#context),
    });
    await scan.clean(saidIn(response), []);
    const findings = scan.findings.map((finding) => ({ ...finding, rule: flags.get(finding.rule) ?? finding.rule }));
    return findingsToDecisions(findings, "response");
  }

  async #responseVerdicts(
    response: AccumulatedResponse,
    protocol: InferenceRequest["protocol"],
    model: string,
  ): Promise<Decision[]> {
    const rules = checkRules(this.layers, "response");
    const texts = [...responseTexts(saidIn(response))].filter(({ form }) => form === "text" || form === "json");
    if (rules.length === 0 || texts.length === 0) return [];
    const leaves = texts.map(({ path, text, form }): Leaf => ({
      path,
      text,
      form,
      isUser: false,
      isFixed: false,
      turn: null,
    }));
    const judged = {
      direction: "response",
      protocol,
      models: [model],
      value: leaves,
      leavesOf: (value: readonly Leaf[]) => value,
      write: (value: readonly Leaf[]) => value,
    } as const;
    const { results } = await runChecks(this.#context, { rules, layers: this.layers }, judged, this.judging);
    return checkDecisions(results, "response");
  }
}

/** The model's texts and tool calls, in the form of a chat completion. */
const saidIn = (response: AccumulatedResponse) => ({
  choices: [response, ...response.others.values()].map((choice) => ({ message: messageIn(choice) })),
});

const messageIn = ({ content, reasoning, reasoningContent, refusal, toolCalls }: AccumulatedChoice) => ({
  content,
  reasoning: reasoning || reasoningContent,
  refusal,
  tool_calls: toolCalls,
});

async function quietly(observe: () => Promise<Decision[]>): Promise<Decision[]> {
  try {
    return observedDecisions(await observe());
  } catch (err) {
    logger().warn({ err }, "a guardrail couldn't observe a request");
    return [];
  }
}

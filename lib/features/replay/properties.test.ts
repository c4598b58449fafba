import fc from "fast-check";
import { expect, it } from "vitest";
import { filterInput } from "../../gateway/filters/filter-service";
import { outcomeOf } from "../../engine/filters/findings";
import { SCAN_SCOPES } from "../../engine/filters/vocabulary";
import type { Decision } from "../../engine/decision/contract";
import type { ChatMessage } from "../../engine/protocols/contracts/chat-messages-contract";
import { combineDecisions } from "../../engine/decision/combine-decisions";
import { plan, type RoutingRequest } from "../../engine/routing/plan";
import { policyFacts } from "../../gateway/record/policy-facts";
import type { Verdict } from "../../gateway/decide-service";
import { phrasesOf } from "../../engine/policy/active-exceptions";
import { OUTCOMES } from "../policy-check/evaluate-service";
import { filterRules } from "../../engine/policy/filter-rules";
import type { Layer } from "../../engine/policy/layers";
import { endpointOf } from "../../testing/endpoints";
import { layerOf } from "../../testing/layers";
import { cases } from "../../testing/random";
import { changeOf, recordedOutcome, type RequestResult } from "./change";
import { evidenceOf } from "./evidence";
import { reevaluate, type Recorded } from "./reevaluate-service";

const VENDORS = ["anthropic", "openai", "google"] as const;
const MODELS = ["acme/a", "openai/b"] as const;
const PROVIDERS = ["one", "two"] as const;
const ROUTING: RoutingRequest = { models: MODELS, preferences: {}, parameters: [] };
const LIMITS = {
  timeoutMs: 60_000,
  workers: 1,
  signal: new AbortController().signal,
  owner: { organizationId: "organization", subject: "key" },
};

const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const action = fc.constantFrom("block", "redact", "flag");
const builtin = fc.record({
  slug: fc.constantFrom("email", "ssn"),
  action,
  scan_scope: fc.constantFrom(...SCAN_SCOPES),
});
const custom = fc.record({
  pattern: fc.constantFrom("XYZ-[0-9]+", "QQ+", "(?i)email"),
  action,
  label: fc.constantFrom("[CODE]", "[EMAIL]", null),
});
const guardrail = fc.record({
  content_filter_builtins: orNull(fc.uniqueArray(builtin, { selector: ({ slug }) => slug, maxLength: 2 })),
  content_filters: orNull(fc.array(custom, { maxLength: 3 })),
  ignored_models: orNull(fc.subarray([...MODELS], { maxLength: 1 })),
  allowed_providers: orNull(fc.subarray([...PROVIDERS])),
  enforce_zdr_other: orNull(fc.boolean()),
});
const layer = (scope: Layer["scope"]) => guardrail.map((fields) => layerOf({ id: scope, ...fields }, scope));
const layers = fc
  .tuple(orNull(layer("workspace")), orNull(layer("member")), orNull(layer("key")))
  .map((given) => given.filter((one) => one !== null));

const word = fc.constantFrom("hello", "ada@example.com", "219-09-9999", "XYZ-1", "QQ", "there", "XYZ-22 QQQ");
const message = fc.record({
  role: fc.constantFrom("user", "system"),
  content: fc.array(word, { maxLength: 4 }).map((words) => words.join(" , ")),
});
const messages = fc.array(message, { minLength: 1, maxLength: 3 }) as fc.Arbitrary<ChatMessage[]>;
const endpoints = fc
  .array(fc.record({ model: fc.constantFrom(...MODELS), provider: fc.constantFrom(...PROVIDERS), zdr: fc.boolean() }), {
    maxLength: 4,
  })
  .map((given) =>
    given.map(({ model, provider, zdr }, index) =>
      endpointOf({ id: String(index), model: { slug: model }, provider: { slug: provider, zdr } }),
    ),
  );

/** Returns all decisions of the enforcement code. */
async function enforce(under: readonly Layer[], requested: readonly ChatMessage[], served: Recorded["endpoints"]) {
  const draws: number[] = [];
  const random = () => draws[draws.push(0.5) - 1] as number;
  const filtered = await filterInput(
    { protocol: "chat_completions", body: { messages: requested } },
    filterRules(under),
    LIMITS,
    phrasesOf(under),
  );
  const planned = plan(ROUTING, served, { layers: under, zdrVendors: VENDORS, speeds: new Map(), random });
  const { decisions, denial } = combineDecisions({ models: ROUTING.models, findings: filtered.findings, planned });
  const outcome: RequestResult["outcome"] = denial ? OUTCOMES[denial.kind] : outcomeOf(filtered.findings);
  const facts = policyFacts(
    {
      layers: under,
      routing: ROUTING,
      draws,
      findings: filtered.findings,
      checks: [],
      unknown: [],
      denial,
    } as unknown as Verdict,
    VENDORS,
    [],
    { findings: [], checks: [], leftOut: [], hasNul: false },
  );
  return {
    outcome,
    decisions,
    facts,
    plan: planned,
    denial,
    stored: denial ? null : (filtered.body as { messages: ChatMessage[] }).messages,
  };
}

type Enforced = Awaited<ReturnType<typeof enforce>>;

async function replayed(
  { facts, decisions, stored }: Enforced,
  then: readonly Layer[],
  now: readonly Layer[],
  served: Recorded["endpoints"],
) {
  const evidence = evidenceOf(
    { matched: facts.matched, layers: then, decisions, missing: stored ? null : "content_not_stored" },
    now,
  );
  if (evidence.obstacle) return { obstacle: evidence.obstacle, verdict: null };
  const verdict = await reevaluate(
    { facts, layers: then, endpoints: served, decisions, now, evidence, answer: null },
    { messages: stored ?? [], answer: null },
    LIMITS,
  );
  return typeof verdict === "string" ? { obstacle: verdict, verdict: null } : { obstacle: null, verdict };
}

const without = (decisions: readonly Decision[]) => decisions.map(({ spans: _, ...decision }) => decision);

it("replaying the original policy always reproduces its decisions", async () => {
  await fc.assert(
    fc.asyncProperty(layers, messages, endpoints, async (then, requested, served) => {
      const enforced = await enforce(then, requested, served);
      const { obstacle, verdict } = await replayed(enforced, then, [...then], served);
      expect(obstacle).toBeNull();
      expect(verdict).toMatchObject({ outcome: enforced.outcome, decisions: enforced.decisions, read: [] });
      expect(verdict?.plan).toEqual(enforced.plan);
    }),
    { numRuns: cases(100) },
  );
});

it("replaying another policy gives its decisions, or reports that they can't be determined", async () => {
  let judged = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(layers, layers, messages, endpoints, async (then, now, requested, served) => {
      const enforced = await enforce(then, requested, served);
      const { obstacle, verdict } = await replayed(enforced, then, now, served);
      if (obstacle) {
        refused += 1;
        return;
      }
      judged += 1;
      const truth = await enforce(now, requested, served);
      expect(verdict.outcome).toBe(truth.outcome);
      // A known block is final, whatever else would match.
      if (truth.outcome !== "blocked") expect(without(verdict.decisions)).toEqual(without(truth.decisions));
      expect(verdict.plan).toEqual(truth.plan);
    }),
    { numRuns: cases(200) },
  );
  expect(judged, `${refused} refused`).toBeGreaterThan(cases(200) / 4);
});

it("a record's outcome is the enforced one, and is no change by itself", async () => {
  await fc.assert(
    fc.asyncProperty(layers, messages, endpoints, async (then, requested, served) => {
      const { outcome, decisions, denial } = await enforce(then, requested, served);
      const recorded = {
        status: denial ? denial.status : ("succeeded" as const),
        errorStatus: denial?.error.status ?? null,
        wasCalled: !denial,
        decisions,
      };
      expect(recordedOutcome(recorded)).toBe(outcome);
      const fate = { outcome, first: null, routes: [], decisions, message: null };
      expect(changeOf(fate, fate, [])).toBeNull();
    }),
    { numRuns: cases(100) },
  );
});

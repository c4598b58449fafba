import { NO_KEY_LIMIT } from "../budgets/budget-rule";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { budgetRules } from "../budgets/budget";
import { LIFTABLE_FIELDS } from "../../records/exceptions/vocabulary";
import type { BuiltinFilter, CustomFilter } from "../filters/contract";
import { plan, type Plan } from "../routing/plan";
import { endpointOf } from "../../testing/endpoints";
import { layerOf } from "../../testing/layers";
import type { Exception } from "./exception";
import { layersAt } from "./active-exceptions";
import { filterRules } from "./filter-rules";
import { DATA_REGIONS } from "../vocabulary";
import type { Layer } from "./layers";

const VENDORS = ["anthropic", "openai", "google"] as const;
const NOW = new Date("2026-11-20T10:00:00.000Z");
const GUARDRAILS = ["g1", "g2"];
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const someOf = (...values: string[]) => orNull(fc.uniqueArray(fc.constantFrom(...values), { maxLength: 2 }));
const moment = fc.integer({ min: -5, max: 5 }).map((hours) => new Date(NOW.getTime() + hours * 3_600_000));

const layers = fc.array(
  fc
    .record({
      scope: fc.constantFrom<Layer["scope"]>("workspace", "member", "key"),
      id: fc.constantFrom(...GUARDRAILS),
      allowed_models: someOf("anthropic/a", "openai/b"),
      ignored_providers: someOf("one", "two"),
      allowed_data_regions: orNull(fc.subarray([...DATA_REGIONS])),
      enforce_zdr_vendor_a: orNull(fc.boolean()),
      limit_usd: orNull(fc.nat(3)),
      content_filter_builtins: orNull(fc.constant<BuiltinFilter[]>([{ slug: "email", action: "block" }])),
      content_filters: orNull(fc.constant<CustomFilter[]>([{ pattern: "x+", action: "redact" }])),
    })
    .map(({ scope, ...fields }) => layerOf(fields, scope)),
  { maxLength: 3 },
);

const lift = fc.oneof(
  fc.constantFrom(...LIFTABLE_FIELDS).map((field) => ({ kind: "lift_rule" as const, field, rule: null })),
  fc
    .constantFrom(["content_filter_builtins", "email"], ["content_filters", "x+"])
    .map(([field = "", rule = ""]) => ({ kind: "lift_rule" as const, field, rule })),
);
const what = fc.oneof(
  fc
    .record({ guardrailId: fc.constantFrom(...GUARDRAILS), raiseMicroUsd: fc.bigInt(1n, 5_000_000n) })
    .map((raise) => ({ ...raise, kind: "raise_limit" as const })),
  fc.tuple(fc.constantFrom(...GUARDRAILS), lift).map(([guardrailId, rest]) => ({ ...rest, guardrailId })),
  fc.constant({ kind: "allow_phrase" as const, phrase: "x" }),
);
const exception: fc.Arbitrary<Exception> = fc
  .tuple(fc.uuid(), fc.constantFrom("key", "member"), fc.constantFrom("A", "B"), what, moment, moment, orNull(moment))
  .map(([id, holder, name, given, createdAt, expiresAt, endedAt]) => ({
    id,
    keyId: holder === "key" ? `key ${name}` : null,
    userId: holder === "key" ? null : `member ${name}`,
    guardrailId: null,
    field: null,
    rule: null,
    raiseMicroUsd: null,
    phrase: null,
    reason: "r",
    createdAt,
    expiresAt,
    endedAt,
    ...given,
  }));
const exceptions = fc.array(exception, { maxLength: 6 });

const A = { keyId: "key A", userId: "member A" };
const endpoints = ["anthropic/a", "openai/b", "acme/c"].flatMap((slug) =>
  ["one", "two"].map((provider) => endpointOf({ model: { slug }, provider: { slug: provider } })),
);
const planned = (under: readonly Layer[]): Plan =>
  plan({ models: ["anthropic/a", "openai/b", "acme/c"], preferences: {}, parameters: [] }, endpoints, {
    layers: under,
    zdrVendors: VENDORS,
    speeds: new Map(),
    random: () => 0,
  });

/** Returns all decisions for requests under the given layers. */
const decided = (under: readonly Layer[]) => ({
  rules: filterRules(under),
  budgets: budgetRules(under, {
    keyId: "key A",
    userId: "member A",
    key: NO_KEY_LIMIT,
  }),
  plan: planned(under),
});
const isActive = ({ createdAt, expiresAt, endedAt }: Exception) =>
  createdAt <= NOW && NOW < expiresAt && (endedAt === null || NOW < endedAt);

describe("exceptions", () => {
  it("have no effect before they start or after they expire", () => {
    fc.assert(
      fc.property(layers, exceptions, (under, all) => {
        const over = all.filter((one) => !isActive(one));
        expect(decided(layersAt(under, over, A)(NOW))).toEqual(decided(under));
      }),
    );
  });

  it("have no effect on other subjects", () => {
    fc.assert(
      fc.property(layers, exceptions, (under, all) => {
        const others = all.filter(({ keyId, userId }) => keyId !== "key A" && userId !== "member A");
        expect(decided(layersAt(under, others, A)(NOW))).toEqual(decided(under));
        expect(decided(layersAt(under, all, { keyId: null, userId: null })(NOW))).toEqual(decided(under));
      }),
    );
  });

  it("never make the policy stricter", () => {
    fc.assert(
      fc.property(layers, exceptions, (under, all) => {
        const [before, after] = [decided(under), decided(layersAt(under, all, A)(NOW))];
        const left = after.plan.candidates.map(({ id }) => id);
        expect(before.plan.candidates.filter(({ id }) => !left.includes(id))).toEqual([]);
        const known = before.rules.map(({ detector, action }) => JSON.stringify([detector, action]));
        expect(
          after.rules.filter(
            ({ detector, action, lifted }) => !lifted && !known.includes(JSON.stringify([detector, action])),
          ),
        ).toEqual([]);
        for (const [index, { limitMicroUsd }] of after.budgets.entries())
          expect(limitMicroUsd).toBeGreaterThanOrEqual(before.budgets[index]?.limitMicroUsd ?? 0n);
        expect(after.budgets).toHaveLength(before.budgets.length);
      }),
    );
  });

  it("appear wherever they allow something, and nowhere else", () => {
    fc.assert(
      fc.property(layers, exceptions, (under, all) => {
        const [before, after] = [planned(under), planned(layersAt(under, all, A)(NOW))];
        const refused = new Set(before.excluded.map(({ model, provider }) => `${model} ${provider}`));
        const letIn = after.candidates.map(({ id }) => id).filter((id) => refused.has(id));
        const named = new Set(after.lifted.map(({ model, provider }) => `${model} ${provider}`));
        expect([...named].sort()).toEqual(letIn.sort());
      }),
    );
  });

  it("lift one rule of one guardrail", () => {
    const both = {
      content_filter_builtins: [{ slug: "email" as const, action: "block" as const }],
      content_filters: [{ pattern: "x+", action: "redact" as const }],
    };
    const under = [layerOf({ id: "g1", ...both }), layerOf({ id: "g2", ...both }, "key")];
    const one: Exception = {
      id: "e",
      keyId: "key A",
      userId: null,
      guardrailId: "g1",
      kind: "lift_rule",
      field: "content_filter_builtins",
      rule: "email",
      raiseMicroUsd: null,
      phrase: null,
      reason: "r",
      createdAt: new Date(0),
      expiresAt: new Date("2027-01-01"),
      endedAt: null,
    };
    const rules = filterRules(layersAt(under, [one], A)(NOW)).map(({ detector, lifted, sources }) => [
      detector.kind === "builtin" ? detector.slug : detector.pattern,
      lifted?.id ?? null,
      sources.map(({ guardrail_id }) => guardrail_id),
    ]);
    expect(rules).toEqual([
      ["email", "e", ["g1"]],
      ["x+", null, ["g1", "g2"]],
      ["email", null, ["g2"]],
    ]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { budgetRules } from "../budgets/budget";
import type { FilterAction } from "../filters/filter-rule";
import { SCAN_SCOPES, type ScanScope } from "../filters/vocabulary";
import { DATA_REGIONS } from "../vocabulary";
import { ZDR_FIELDS } from "./zdr";
import type { Endpoint } from "../endpoint";
import { plan, type PlanContext } from "../routing/plan";
import type { ProviderPreferences } from "../protocols/contracts/provider-preferences-contract";
import { endpointOf } from "../../testing/endpoints";
import { layerOf } from "../../testing/layers";
import { filterRules } from "./filter-rules";
import type { Layer } from "./layers";

const VENDORS = ["anthropic", "openai", "google"] as const;
const MODELS = ["anthropic/a", "openai/b", "google/c", "acme/d"] as const;
const PROVIDERS = ["one", "two", "three"] as const;
const QUANTIZATIONS = ["fp8", "bf16"] as const;

const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const someOf = <T>(values: readonly T[]) => orNull(fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 }));
const names = [...MODELS, ...MODELS.map((slug) => `${slug}-2026`)];

const action = fc.constantFrom<FilterAction>("block", "redact", "flag");
const filters = fc.record({
  content_filter_builtins: orNull(
    fc.uniqueArray(
      fc.record({
        slug: fc.constantFrom("email", "ssn"),
        action,
        scan_scope: fc.constantFrom(...SCAN_SCOPES),
      }),
      { selector: ({ slug }) => slug, maxLength: 2 },
    ),
  ),
  content_filters: orNull(fc.array(fc.record({ pattern: fc.constantFrom("a+", "b"), action }), { maxLength: 3 })),
});
const lists = fc.record({
  allowed_models: someOf(names),
  ignored_models: someOf(names),
  allowed_providers: someOf(PROVIDERS),
  ignored_providers: someOf(PROVIDERS),
  allowed_data_regions: someOf(DATA_REGIONS),
});
const budget = fc.record({
  limit_usd: orNull(fc.nat(3)),
  reset_interval: orNull(fc.constantFrom("daily", "monthly")),
  include_byok_in_budgets: fc.boolean(),
});
const switches = fc.record(Object.fromEntries(ZDR_FIELDS.map((field) => [field, orNull(fc.boolean())])));
const layer = fc
  .tuple(
    fc.constantFrom<Layer["scope"]>("workspace", "member", "key", "draft"),
    fc.record({ id: fc.uuid() }),
    lists,
    switches,
    filters,
    budget,
  )
  .map(([scope, ...fields]) => layerOf(Object.assign({}, ...fields) as Partial<Layer["guardrail"]>, scope));
const layers = fc.array(layer, { maxLength: 4 });

const endpoint = fc
  .record({
    slug: fc.constantFrom(...MODELS),
    provider: fc.constantFrom(...PROVIDERS),
    zdr: orNull(fc.boolean()),
    providerZdr: fc.boolean(),
    trains: fc.boolean(),
    price: fc.nat(3).map(String),
    quantization: orNull(fc.constantFrom(...QUANTIZATIONS)),
    dataRegion: fc.constantFrom(...DATA_REGIONS),
  })
  .map(({ slug, provider, zdr, providerZdr, trains, price, quantization, dataRegion }) =>
    endpointOf({
      model: { slug, canonicalSlug: `${slug}-2026` },
      provider: { slug: provider, zdr: providerZdr, trains },
      prices: { prompt: price },
      zdr,
      quantization,
      dataRegion,
    }),
  );
const endpoints = fc.uniqueArray(endpoint, { selector: ({ id }) => id, minLength: 1, maxLength: 12 });
const models = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 4 });
const preferences: fc.Arbitrary<ProviderPreferences> = fc.record(
  {
    only: someOf(PROVIDERS),
    ignore: someOf(PROVIDERS),
    order: someOf(PROVIDERS),
    allow_fallbacks: fc.boolean(),
    data_collection: fc.constantFrom<ProviderPreferences["data_collection"][]>("allow", "deny"),
    zdr: orNull(fc.boolean()),
    quantizations: someOf(QUANTIZATIONS),
    max_price: fc.record({ prompt: fc.nat(3).map(String) }, { requiredKeys: [] }),
    sort: fc.constantFrom<ProviderPreferences["sort"][]>("price", "latency", { by: "price", partition: "none" }),
    require_parameters: fc.boolean(),
    preferred_max_latency: fc.nat(2),
  },
  { requiredKeys: [] },
);

const planned = (
  named: readonly string[],
  of: readonly Endpoint[],
  under: readonly Layer[],
  requested: ProviderPreferences = {},
) => {
  const conditions: PlanContext = { layers: under, zdrVendors: VENDORS, speeds: new Map(), random: () => 0 };
  return plan({ models: named, preferences: requested, parameters: ["seed"] }, of, conditions);
};
const admitted = (...given: Parameters<typeof planned>) => new Set(planned(...given).candidates.map(({ id }) => id));
const expectWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>) =>
  expect([...some].filter((id) => !all.has(id))).toEqual([]);

const STRENGTH = { flag: 1, redact: 2, block: 3 };
/** The scan scopes that read messages of a role. */
const SCOPES_OF: Record<"user" | "assistant" | "system", readonly ScanScope[]> = {
  user: ["all_messages", "untrusted", "user_only"],
  assistant: ["all_messages", "untrusted"],
  system: ["all_messages"],
};
/** Returns the strength of the action on a match: the strongest of the matching rules, 0 for none. */
const strengthsOf = (under: readonly Layer[]) =>
  Object.fromEntries(
    ["email", "ssn", "a+", "b"].flatMap((what) =>
      (Object.keys(SCOPES_OF) as (keyof typeof SCOPES_OF)[]).map((role) => {
        const rules = filterRules(under).filter(
          ({ detector, scanScope }) =>
            (detector.kind === "builtin" ? detector.slug : detector.pattern) === what &&
            SCOPES_OF[role].includes(scanScope),
        );
        return [`${what} ${role}`, Math.max(0, ...rules.map((rule) => STRENGTH[rule.action]))];
      }),
    ),
  );

/** Returns the same computed naively: the strongest action that any guardrail sets for the match. */
const naiveStrengths = (under: readonly Layer[]) => {
  const strongest = Object.fromEntries(
    ["email", "ssn", "a+", "b"]
      .flatMap((what) => Object.keys(SCOPES_OF).map((role) => `${what} ${role}`))
      .map((place) => [place, 0]),
  );
  for (const { guardrail } of under) {
    const requested = [
      ...(guardrail.content_filter_builtins ?? []).map(({ slug, scan_scope, ...rest }) => ({
        what: slug,
        scanned: scan_scope ?? "all_messages",
        ...rest,
      })),
      ...(guardrail.content_filters ?? []).map(({ pattern, ...rest }) => ({
        what: pattern,
        scanned: "all_messages" as const,
        ...rest,
      })),
    ];
    for (const { what, scanned, action: done } of requested)
      for (const [role, scopes] of Object.entries(SCOPES_OF))
        if (scopes.includes(scanned))
          strongest[`${what} ${role}`] = Math.max(strongest[`${what} ${role}`] ?? 0, STRENGTH[done]);
  }
  return strongest;
};

/** Describes every limit that applies. */
const limitsOf = (under: readonly Layer[]) =>
  new Set(
    budgetRules(under, {
      keyId: "k",
      userId: "u",
      key: { limitMicroUsd: 1n, limitReset: null, includeByokInLimit: false },
    }).map(({ sourceId, subject, limitMicroUsd, interval, includesByok }) =>
      [sourceId, subject, limitMicroUsd, interval, includesByok].join(" "),
    ),
  );

describe("policy", () => {
  it("never admits more endpoints with an additional guardrail", () => {
    fc.assert(
      fc.property(models, endpoints, layers, layer, preferences, (named, of, under, more, requested) => {
        const withFallbacks = { ...requested, allow_fallbacks: true };
        expectWithin(admitted(named, of, [...under, more], withFallbacks), admitted(named, of, under, withFallbacks));
      }),
    );
  });

  it("never weakens a filter with an additional guardrail", () => {
    fc.assert(
      fc.property(layers, layer, (under, more) => {
        const after = strengthsOf([...under, more]);
        for (const [place, strength] of Object.entries(strengthsOf(under)))
          expect(after[place]).toBeGreaterThanOrEqual(strength);
      }),
    );
  });

  it("never drops a limit with an additional guardrail", () => {
    fc.assert(
      fc.property(layers, layer, (under, more) => {
        expectWithin(limitsOf(under), limitsOf([...under, more]));
      }),
    );
  });

  it("treats a match as the strictest guardrail does", () => {
    fc.assert(
      fc.property(layers, (under) => {
        expect(strengthsOf(under)).toEqual(naiveStrengths(under));
      }),
    );
  });

  it("is never loosened by a request", () => {
    fc.assert(
      fc.property(models, endpoints, layers, preferences, (named, of, under, requested) => {
        expectWithin(admitted(named, of, under, requested), admitted(named, of, under));
      }),
    );
  });

  it("doesn't depend on the order of guardrails", () => {
    const shuffled = layers.chain((under) =>
      fc.tuple(fc.constant(under), fc.shuffledSubarray(under, { minLength: under.length })),
    );
    fc.assert(
      fc.property(models, endpoints, shuffled, preferences, (named, of, [under, other], requested) => {
        expect(admitted(named, of, other, requested)).toEqual(admitted(named, of, under, requested));
        expect(strengthsOf(other)).toEqual(strengthsOf(under));
        expect(limitsOf(other)).toEqual(limitsOf(under));
      }),
    );
  });

  it("treats null and an empty list as no restriction", () => {
    const emptied = (guardrail: Layer["guardrail"], from: null | [], to: null | []) =>
      Object.fromEntries(
        Object.entries(guardrail).map(([field, value]) => [
          field,
          JSON.stringify(value) === JSON.stringify(from) && LISTS.has(field) ? to : value,
        ]),
      ) as Layer["guardrail"];
    fc.assert(
      fc.property(models, endpoints, layers, (named, of, under) => {
        const variants = [
          under.map((one) => ({ ...one, guardrail: emptied(one.guardrail, null, []) })),
          under.map((one) => ({ ...one, guardrail: emptied(one.guardrail, [], null) })),
          [...under, layerOf()],
        ];
        for (const variant of variants) {
          expect(admitted(named, of, variant)).toEqual(admitted(named, of, under));
          expect(strengthsOf(variant)).toEqual(strengthsOf(under));
        }
      }),
    );
  });

  it("splits the endpoints of the requested models into candidates and excluded ones, each with a reason", () => {
    fc.assert(
      fc.property(models, endpoints, layers, preferences, (named, of, under, requested) => {
        const { candidates, excluded } = planned(named, of, under, requested);
        const known = of
          .filter(({ model }) => named.includes(model.slug) || named.includes(model.canonicalSlug))
          .map(({ id }) => id);
        expect(
          [...candidates.map(({ id }) => id), ...excluded.map(({ model, provider }) => `${model} ${provider}`)].sort(),
        ).toEqual(known.sort());
        for (const { excluded_by } of excluded) expect(excluded_by.length).toBeGreaterThan(0);
      }),
    );
  });
});

const LISTS: ReadonlySet<string> = new Set([
  "allowed_models",
  "ignored_models",
  "allowed_providers",
  "ignored_providers",
  "allowed_data_regions",
  "content_filter_builtins",
  "content_filters",
]);

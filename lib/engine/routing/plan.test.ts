import { describe, expect, it } from "vitest";
import { endpointOf } from "../../testing/endpoints";
import { layerOf } from "../../testing/layers";
import type { Endpoint, Percentiles, Speed } from "../endpoint";
import { plan, type PlanContext, type RoutingRequest } from "./plan";
import { suppliedParameters } from "./preferences";
import type { ProviderPreferences } from "../protocols/contracts/provider-preferences-contract";

type Given = Parameters<typeof endpointOf>[0];

const endpoint = (model: string, provider: string, price: string, { provider: more, ...rest }: Given = {}): Endpoint =>
  endpointOf({
    ...rest,
    model: { slug: model, ...rest.model },
    provider: { slug: provider, ...more },
    prices: { prompt: price, completion: price, ...rest.prices },
  });

const endpoints = [
  endpoint("a/big", "gold", "3", {
    provider: { zdr: true },
    model: { canonicalSlug: "a/big-2026", distillable: true },
    supportedParameters: ["tools", "max_completion_tokens"],
  }),
  endpoint("a/big", "lead", "1", { provider: { trains: true }, quantization: "fp8", supportedParameters: [] }),
  endpoint("b/small", "tin", "2", { provider: { zdr: true }, quantization: "bf16" }),
];

const conditions: PlanContext = {
  layers: [],
  zdrVendors: ["anthropic", "openai", "google"],
  speeds: new Map(),
  random: () => 0,
};
const same = (value: number): Percentiles => ({ p50: value, p75: value, p90: value, p99: value });
const speeds = new Map<string, Speed>([
  ["a/big gold", { latency: { p50: 0.2, p75: 0.3, p90: 2, p99: 4 }, throughput: same(20) }],
  ["a/big lead", { latency: same(0.5), throughput: { p50: 90, p75: 80, p90: 10, p99: 5 } }],
]);

const ask = (
  preferences: ProviderPreferences,
  routing: Partial<RoutingRequest> = {},
  given: Partial<PlanContext> = {},
  of = endpoints,
) => plan({ models: ["a/big", "b/small"], preferences, parameters: [], ...routing }, of, { ...conditions, ...given });
const providersOf = (...input: Parameters<typeof ask>) => ask(...input).candidates.map(({ provider }) => provider.slug);

describe("plan: which endpoints", () => {
  it("a stored answer isn't zero retention, whatever the endpoint promises", () => {
    const enforced = { layers: [layerOf({ enforce_zdr_other: true })] };
    expect(providersOf({}, {}, enforced)).toEqual(["gold", "tin"]);
    expect(providersOf({}, { isStored: true }, enforced)).toEqual([]);
    expect(providersOf({ zdr: true }, { isStored: true })).toEqual([]);
    expect(providersOf({}, { isStored: true })).toEqual(["lead", "gold", "tin"]);
  });

  it("endpoints that can't be sent a field of the request are excluded", () => {
    const [gold] = endpoints;
    const unconvertible = { [gold?.id ?? ""]: ["tools.0"] };
    const { excluded } = ask({}, { unconvertible }, {}, [endpoints[0] as Endpoint]);
    expect(excluded[0]?.excluded_by).toMatchObject([{ scope: "request", field: "protocol:tools.0" }]);
  });

  it.each<[string, ProviderPreferences, string[]]>([
    ["only", { only: ["gold", "tin"] }, ["gold", "tin"]],
    ["only: an empty list has no effect", { only: [] }, ["lead", "gold", "tin"]],
    ["ignore", { ignore: ["lead"] }, ["gold", "tin"]],
    ["provider slugs are case-insensitive", { only: ["Gold", "LEAD"], ignore: ["Lead"], order: ["GOLD"] }, ["gold"]],
    ["data_collection deny", { data_collection: "deny" }, ["gold", "tin"]],
    ["data_collection allow", { data_collection: "allow" }, ["lead", "gold", "tin"]],
    ["zdr", { zdr: true }, ["gold", "tin"]],
    ["zdr false has no effect", { zdr: false }, ["lead", "gold", "tin"]],
    ["quantizations", { quantizations: ["fp8", "bf16"] }, ["lead", "tin"]],
    ["quantizations; an unknown one counts as unknown", { quantizations: ["unknown"] }, ["gold"]],
    ["quantizations: an empty list has no effect", { quantizations: [] }, ["lead", "gold", "tin"]],
    ["max_price", { max_price: { prompt: "2" } }, ["lead", "tin"]],
    ["max_price compares exactly", { max_price: { prompt: "1.9999999999999999999" } }, ["lead"]],
    ["max_price with an exponent", { max_price: { completion: "1e0" } }, ["lead"]],
    ["max_price of zero: only free endpoints", { max_price: { completion: "0" } }, []],
    [
      "max_price of images: no endpoint has this price",
      { max_price: { image: "0", audio: "0" } },
      ["lead", "gold", "tin"],
    ],
    ["enforce_distillable_text: unknown is not allowed", { enforce_distillable_text: true }, ["gold"]],
    ["order: no fallback models when none of its providers serves them", { order: ["nobody"] }, []],
    ["allow_fallbacks false: only the first", { allow_fallbacks: false }, ["lead"]],
    [
      "allow_fallbacks false with order: only providers in the order",
      { allow_fallbacks: false, order: ["tin", "gold"] },
      ["gold", "tin"],
    ],
    ["allow_fallbacks null is the default", { allow_fallbacks: null }, ["lead", "gold", "tin"]],
  ])("%s", (_name, preferences, expected) => {
    expect(providersOf(preferences)).toEqual(expected);
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    [
      "no parameter: all",
      { model: "a/big", messages: [], stream: true, metadata: {}, seed: null, text: {} },
      ["lead", "gold", "tin"],
    ],
    ["supported", { tools: [] }, ["gold"]],
    ["a parameter a parameter under the other protocol's name", { max_output_tokens: 9 }, ["gold"]],
    ["one parameter unsupported", { tools: [], seed: 1 }, []],
    ["a response format counts as a parameter", { text: { format: { type: "json_object" } } }, []],
  ])("require_parameters, unknown support counts as unsupported: %s", (_name, body, expected) => {
    const parameters = suppliedParameters(body);
    expect(providersOf({ require_parameters: true }, { parameters })).toEqual(expected);
    expect(providersOf({}, { parameters })).toEqual(["lead", "gold", "tin"]);
  });

  it("matches a model by canonical slug and returns each endpoint once", () => {
    expect(providersOf({}, { models: ["a/big-2026", "a/big"] })).toEqual(["gold", "lead"]);
  });

  it("combines the layers with the request", () => {
    const layers = [layerOf({ allowed_providers: ["gold", "tin"] }), layerOf({ allowed_models: ["a/big"] }, "key")];
    expect(providersOf({}, {}, { layers })).toEqual(["gold"]);
    expect(providersOf({ only: ["tin", "lead"] }, {}, { layers })).toEqual([]);
  });

  it("lists every reason for each excluded endpoint", () => {
    const { candidates, excluded } = ask(
      { zdr: true, ignore: ["lead"], allow_fallbacks: false },
      {},
      {
        layers: [
          layerOf({ ignored_providers: ["lead"], enforce_zdr_other: true }),
          layerOf({ ignored_models: ["a/big"] }, "key"),
        ],
      },
    );
    const inWords = excluded.map(
      ({ model, provider, excluded_by }) =>
        `${model} ${provider}: ${excluded_by.map(({ scope, field }) => `${scope} ${field}`).join(", ")}`,
    );
    expect(candidates.map(({ provider }) => provider.slug)).toEqual(["tin"]);
    expect(inWords).toEqual([
      "a/big gold: key ignored_models",
      "a/big lead: workspace ignored_providers, workspace enforce_zdr_other, key ignored_models, request ignore, request zdr",
    ]);
    expect(ask({ allow_fallbacks: false }).excluded.map(({ excluded_by }) => excluded_by)).toEqual(
      Array.from({ length: 2 }, () => [
        { scope: "request", guardrail_id: null, guardrail_name: null, revision: null, field: "allow_fallbacks" },
      ]),
    );
  });
});

describe("plan: in which order", () => {
  it.each<[string, ProviderPreferences, string[]]>([
    ["models in the requested order", {}, ["lead", "gold", "tin"]],
    ["order: listed providers first, then the others", { order: ["gold"] }, ["gold", "lead", "tin"]],
    ["order takes precedence over sort", { order: ["gold"], sort: "price" }, ["gold", "lead", "tin"]],
    ["an empty order has no effect", { order: [], sort: "price" }, ["lead", "gold", "tin"]],
    ["price", { sort: "price" }, ["lead", "gold", "tin"]],
    ["latency", { sort: "latency" }, ["gold", "lead", "tin"]],
    ["throughput", { sort: { by: "throughput" } }, ["lead", "gold", "tin"]],
    ["exacto: highest precision first, unknown last", { sort: "exacto" }, ["lead", "gold", "tin"]],
    ["price across models", { sort: { by: "price", partition: "none" } }, ["lead", "tin", "gold"]],
    ["latency across models, unmeasured last", { sort: { by: "latency", partition: "none" } }, ["gold", "lead", "tin"]],
    [
      "throughput across models, unmeasured last",
      { sort: { by: "throughput", partition: "none" } },
      ["lead", "gold", "tin"],
    ],
    ["exacto across models", { sort: { by: "exacto", partition: "none" } }, ["tin", "lead", "gold"]],
    ["preferred latency: a number means the median", { preferred_max_latency: 0.3 }, ["gold", "lead", "tin"]],
    ["preferred latency by percentile", { preferred_max_latency: { p50: 0.6, p90: 1 } }, ["lead", "gold", "tin"]],
    ["preferred throughput", { preferred_min_throughput: 30, sort: "latency" }, ["lead", "gold", "tin"]],
    ["preferred throughput by percentile", { preferred_min_throughput: { p90: 15 } }, ["gold", "lead", "tin"]],
    ["a preference that no endpoint meets excludes none", { preferred_max_latency: 0.01 }, ["lead", "gold", "tin"]],
    [
      "order takes precedence over preferences",
      { order: ["gold", "lead"], preferred_min_throughput: 30 },
      ["gold", "lead", "tin"],
    ],
  ])("%s", (_name, preferences, expected) => {
    expect(providersOf(preferences, {}, { speeds })).toEqual(expected);
  });

  it.each<[RoutingRequest["route"], ProviderPreferences["sort"], string[]]>([
    ["sort", "price", ["lead", "tin", "gold"]],
    ["fallback", "price", ["lead", "gold", "tin"]],
    ["sort", { by: "price", partition: "model" }, ["lead", "gold", "tin"]],
    [null, { by: "price", partition: "none" }, ["lead", "tin", "gold"]],
  ])("the deprecated route %s sets the partition unless the sort %o names one", (route, sort, expected) => {
    expect(providersOf({ sort }, { route })).toEqual(expected);
  });

  const drawn = (of: readonly Endpoint[], random: number, preferences: ProviderPreferences = {}) =>
    providersOf(
      preferences,
      { models: ["m"] },
      { random: () => random, speeds: new Map([["m slow", { latency: same(9), throughput: null }]]) },
      [...of],
    ).join(" ");
  const [one, two, four] = [endpoint("m", "one", "1"), endpoint("m", "two", "2"), endpoint("m", "four", "4")];

  it("draws the first by the inverse square of the price and sorts the rest by price", () => {
    // Weights 1, 1/4 and 1/16, as 21sts: 16, 4 and 1.
    const at = (part: number) => drawn([four, two, one], part / 21);
    expect([at(0), at(15.9), at(16.1), at(19.9), at(20.1), at(20.99)]).toEqual([
      "one two four",
      "one two four",
      "two one four",
      "two one four",
      "four one two",
      "four one two",
    ]);
  });

  it("prefers free endpoints, drawing among them evenly", () => {
    const free = [endpoint("m", "gratis", "0"), endpoint("m", "free", "0")];
    expect([drawn([one, ...free], 0.49), drawn([one, ...free], 0.51)]).toEqual(["gratis free one", "free gratis one"]);
  });

  it("includes the price per request", () => {
    expect(drawn([endpoint("m", "fee", "0", { prices: { request: "0.1" } }), one], 0, { sort: "price" })).toBe(
      "one fee",
    );
  });

  it("draws among endpoints within the preferred speed", () => {
    const slow = endpoint("m", "slow", "0");
    expect([drawn([slow, one, two], 0.99, { preferred_max_latency: 1 }), drawn([slow, one, two], 0.99)]).toEqual([
      "two one slow",
      "slow one two",
    ]);
  });

  it("draws across models when the route allows it", () => {
    expect(providersOf({}, { route: "sort" }, { random: () => 0.99 })).toEqual(["gold", "lead", "tin"]);
  });
});

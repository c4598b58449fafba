import { describe, expect, it } from "vitest";
import { endpointOf } from "../testing/endpoints";
import { plan, type Endpoint } from "./plan";
import type { ProviderPreferences } from "./provider-preferences-contract";

interface Given {
  zdr?: boolean;
  trains?: boolean;
  quantization?: string;
  canonical?: string;
}

const endpoint = (model: string, provider: string, price: string, { zdr = false, trains = false, quantization, canonical = model }: Given = {}): Endpoint =>
  endpointOf({
    model: { slug: model, canonicalSlug: canonical },
    provider: { slug: provider, zdr, trains },
    prices: { prompt: price, completion: price },
    quantization: quantization ?? null,
  });

const endpoints = [
  endpoint("a/big", "gold", "3", { zdr: true, canonical: "a/big-2026" }),
  endpoint("a/big", "lead", "1", { trains: true, quantization: "fp8" }),
  endpoint("b/small", "tin", "2", { zdr: true }),
];

const providersOf = (preferences: ProviderPreferences, models = ["a/big", "b/small"]) =>
  plan({ models, preferences }, endpoints).candidates.map(({ provider }) => provider.slug);

describe("plan", () => {
  it.each<[string, ProviderPreferences, string[]]>([
    ["models in the order asked for, the cheaper endpoint first", {}, ["lead", "gold", "tin"]],
    ["order: tried in order, others after", { order: ["gold"] }, ["gold", "lead", "tin"]],
    ["order: fails when none of it supports the models", { order: ["nobody"] }, []],
    ["an empty order orders nothing", { order: [] }, ["lead", "gold", "tin"]],
    ["only", { only: ["gold", "tin"] }, ["gold", "tin"]],
    ["ignore", { ignore: ["lead"] }, ["gold", "tin"]],
    ["data_collection deny", { data_collection: "deny" }, ["gold", "tin"]],
    ["data_collection allow", { data_collection: "allow" }, ["lead", "gold", "tin"]],
    ["zdr", { zdr: true }, ["gold", "tin"]],
    ["quantizations; an unknown one counts as unknown", { quantizations: ["unknown"] }, ["gold", "tin"]],
    ["max_price", { max_price: { prompt: "2" } }, ["lead", "tin"]],
    ["max_price of nothing: only free endpoints", { max_price: { completion: "0" } }, []],
    ["sort across models", { sort: { by: "price", partition: "none" } }, ["lead", "tin", "gold"]],
    ["allow_fallbacks false: the first alone", { allow_fallbacks: false }, ["lead"]],
  ])("%s", (_name, preferences, expected) => {
    expect(providersOf(preferences)).toEqual(expected);
  });

  it("knows a model by its canonical slug, and each endpoint once", () => {
    expect(providersOf({}, ["a/big-2026", "a/big"])).toEqual(["gold", "lead"]);
  });

  it("says for each endpoint that is out which fields removed it", () => {
    const { excluded } = plan({ models: ["a/big"], preferences: { zdr: true, ignore: ["lead"] } }, endpoints);
    expect(excluded).toEqual([
      {
        model: "a/big",
        provider: "lead",
        excluded_by: [
          { scope: "request", guardrail_id: null, field: "ignore" },
          { scope: "request", guardrail_id: null, field: "zdr" },
        ],
      },
    ]);
  });
});

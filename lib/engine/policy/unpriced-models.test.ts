import { describe, expect, it } from "vitest";
import { endpointOf } from "../../testing/endpoints";
import { layerOf } from "../../testing/layers";
import { plan } from "../routing/plan";
import { unpricedRefusals, unpricedTerms } from "./unpriced-models";
import { NO_KEY_LIMIT } from "../budgets/budget-rule";

const unknown = endpointOf({ prices: null });
const byok = endpointOf({ prices: null, provider: { slug: "own", ownership: "byok" } });
const free = endpointOf({ prices: { prompt: "0", completion: "0" }, provider: { slug: "free" } });
const limited = layerOf({ name: "Limited", limit_usd: 1 });
const none = unpricedTerms(false, NO_KEY_LIMIT);
const ofKey = (includeByokInLimit = false) =>
  unpricedTerms(false, { ...NO_KEY_LIMIT, limitMicroUsd: 1n, includeByokInLimit });

describe("a spending limit refuses an unknown price, which isn't a free one", () => {
  it.each([
    ["an unknown price under a guardrail's budget", [limited], unknown, none, ["Limited"]],
    ["an unknown price under a key's limit", [], unknown, ofKey(), [null]],
    ["an unknown price under both", [limited], unknown, ofKey(), ["Limited", null]],
    ["an unknown price without a limit", [layerOf({})], unknown, none, []],
    ["an unknown price where the workspace allows it", [limited], unknown, { ...ofKey(), allowed: true }, []],
    ["an unknown price of an own provider, which the limit doesn't count", [limited], byok, ofKey(), []],
    ["an unknown price of an own provider, which the limit counts", [], byok, ofKey(true), [null]],
    ["a free model", [limited], free, ofKey(), []],
  ])("%s", (_, layers, endpoint, terms, expected) =>
    expect(unpricedRefusals(layers, endpoint, terms).map(({ guardrail_name }) => guardrail_name)).toEqual(expected),
  );
});

describe("routing of models without a known price", () => {
  const route = (preferences: object) =>
    plan({ models: ["acme/one"], preferences, parameters: [] }, [unknown, free], {
      layers: [],
      zdrVendors: ["a", "b", "c"],
      speeds: new Map(),
      random: () => 0.99,
    });

  it("max_price refuses an unknown price", () => {
    const { candidates, excluded } = route({ max_price: { prompt: "1000" } });
    expect(candidates).toEqual([free]);
    expect(excluded).toMatchObject([{ excluded_by: [{ scope: "request", field: "max_price" }] }]);
  });

  it("the cheapest is first, and an unknown price last", () => {
    expect(route({ sort: "price" }).candidates).toEqual([free, unknown]);
    expect(route({}).candidates).toEqual([free, unknown]);
  });
});

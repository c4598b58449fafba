import { describe, expect, it } from "vitest";
import { defaultUpstreamModel, resolveEndpoints } from "./endpoints";

it.each([
  ["openai/gpt-5", "openai", false, "gpt-5"],
  ["openai/gpt-5", "azure", false, "openai/gpt-5"],
  ["openai-x/gpt-5", "openai", false, "openai-x/gpt-5"],
  ["large", "large", false, "large"],
  ["sandbox/echo", "sandbox", true, "sandbox/echo"],
])("%s at %s (built in: %s) is %s upstream", (slug, provider, isBuiltIn, name) => {
  expect(defaultUpstreamModel(slug, { slug: provider, isBuiltIn })).toBe(name);
});

describe("resolveEndpoints", () => {
  const price = { prompt: "1", completion: "2" };
  const providers = new Map([["acme", { id: "p1", isBuiltIn: false }]]);

  it("resolves providers and fills in the upstream's name", () => {
    const { endpoints, issues } = resolveEndpoints(
      "acme/large",
      [
        { provider: "acme", price },
        { provider: "acme", upstream_model: "other", price, zdr: true },
      ],
      providers,
    );
    expect(issues).toEqual([]);
    expect(endpoints).toEqual([
      { providerId: "p1", upstreamModel: "large", price },
      { providerId: "p1", upstreamModel: "other", price, zdr: true },
    ]);
  });

  it("reports every unknown provider and every duplicate", () => {
    const given = ["acme", "nobody", "acme"].map((provider) => ({ provider, price }));
    expect(resolveEndpoints("acme/large", given, providers).issues).toEqual([
      expect.objectContaining({ path: ["endpoints", 1, "provider"] }),
      expect.objectContaining({ path: ["endpoints", 2] }),
    ]);
  });
});

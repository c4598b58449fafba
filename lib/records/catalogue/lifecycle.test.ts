import { describe, expect, it } from "vitest";
import { isRetired, lifecycleOf } from "./lifecycle";
import { catalogueModels } from "./policy";

const NOW = new Date("2026-11-20T10:00:00.000Z");
const retired = (vendor: string) =>
  catalogueModels(vendor, NOW).flatMap(({ id }) => (isRetired(lifecycleOf(vendor, id), NOW) ? [id] : []));

describe("the lifecycle of models", () => {
  it.each([
    ["openai", ["ada", "davinci", "gpt-4-32k", "gpt-4-vision-preview", "text-davinci-003", "o1-mini"]],
    ["anthropic", ["claude-2", "claude-v1", "claude-3-opus-latest"]],
    ["google", ["gemini-1.5-pro", "gemini-pro"]],
  ])("knows retired models of %s", (vendor, names) => {
    expect(retired(vendor)).toEqual(expect.arrayContaining(names));
  });

  it("leaves current models alone, and those of clouds, which have their own dates", () => {
    for (const [vendor, name] of [
      ["openai", "gpt-5"],
      ["openai", "gpt-4o"],
      ["anthropic", "claude-opus-5"],
      ["google", "gemini-2.5-pro"],
      ["azure", "gpt-4-32k"],
      [null, "gpt-4-32k"],
    ] as const)
      expect(lifecycleOf(vendor, name), name).toBeNull();
  });

  it("says when a model was deprecated, when it retires, and what replaces it", () => {
    const lifecycle = lifecycleOf("openai", "gpt-4-32k-0613");
    expect(lifecycle).toEqual({
      deprecatedAt: "2024-06-06T00:00:00.000Z",
      retiresAt: "2025-06-06T00:00:00.000Z",
      replacement: "gpt-4o",
    });
    expect(isRetired(lifecycle, new Date("2025-06-05T00:00:00Z"))).toBe(false);
  });
});

describe("a kind of provider gets what its API serves", () => {
  it.each(["google", "openai", "anthropic", "bedrock"])("%s", (vendor) => {
    const names = catalogueModels(vendor, NOW).map(({ id }) => id);
    expect(names.filter((name) => /:(?:free|extended|thinking)$|^ft:|^regional\./.test(name))).toEqual([]);
  });

  it("Gemini: no Claude", () => {
    const names = catalogueModels("google", NOW).map(({ id }) => id);
    expect(names.filter((name) => name.includes("claude"))).toEqual([]);
    expect(catalogueModels("vertex", NOW).some(({ id }) => id.includes("claude"))).toBe(true);
  });

  it("has context lengths that the price list lacks", () => {
    expect(catalogueModels("google", NOW).find(({ id }) => id === "gemini-2.5-pro")?.contextLength).toBe(1_048_576);
  });
});

import { describe, expect, it } from "vitest";
import { isRetired, lifecycleOf } from "./lifecycle";
import { catalogueModels } from "./catalogue";

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
      ["openai", "gpt-5.5"],
      ["openai", "gpt-5.6-sol"],
      ["openai", "gpt-4o-transcribe"],
      ["anthropic", "claude-opus-5"],
      ["anthropic", "claude-opus-4-8"],
      ["google", "gemini-2.5-flash-lite"],
      ["google", "gemini-3.8-flash"],
      ["bedrock", "anthropic.claude-3-opus-20240229-v1:0"],
      ["bedrock", "us.anthropic.claude-3-opus-20240229-v1:0"],
      ["azure", "gpt-4-32k"],
      [null, "gpt-4-32k"],
    ] as const)
      expect(lifecycleOf(vendor, name), name).toBeNull();
  });

  it.each([
    ["openai", "gpt-5", "2026-12-11", "gpt-6.1-sol"],
    ["openai", "gpt-5-mini-2025-08-07", "2026-12-11", "gpt-6.1-terra"],
    ["openai", "gpt-4o", "2027-01-14", "gpt-6-luna"],
    ["openai", "gpt-4o-2024-05-13", "2026-10-23", "gpt-5.6-sol"],
    ["openai", "o3-pro", "2026-12-11", "gpt-6.1-sol"],
    ["openai", "o3-deep-research", "2026-07-23", "gpt-5.5-pro"],
    ["openai", "gpt-4-turbo", "2026-10-23", "gpt-5.6-sol"],
    ["anthropic", "claude-opus-4-1-20250805", "2026-08-05", "claude-opus-4-8"],
    ["anthropic", "claude-sonnet-4-0", "2026-06-15", "claude-sonnet-4-6"],
    ["google", "models/gemini-2.5-pro", "2026-12-01", "gemini-3.8-flash"],
  ])("knows when %s stops serving %s", (vendor, name, day, replacement) => {
    expect(lifecycleOf(vendor, name)).toMatchObject({ retiresAt: `${day}T00:00:00.000Z`, replacement });
  });

  it("recommends no model that is retired itself", () => {
    for (const vendor of ["openai", "anthropic", "google"])
      for (const { id } of catalogueModels(vendor, NOW)) {
        const lifecycle = lifecycleOf(vendor, id);
        if (lifecycle) expect(lifecycleOf(vendor, lifecycle.replacement), id).toBeNull();
      }
  });

  it("says when a model was deprecated, when it retires, and what replaces it", () => {
    const lifecycle = lifecycleOf("openai", "gpt-4-32k-0613");
    expect(lifecycle).toEqual({
      deprecatedAt: "2024-06-06T00:00:00.000Z",
      retiresAt: "2025-06-06T00:00:00.000Z",
      replacement: "gpt-5.6-sol",
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

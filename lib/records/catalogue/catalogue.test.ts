import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makerOf } from "../../engine/vendors";
import { catalogueModel, catalogueModels, decimalText, vendorOf } from "./catalogue";
import { VENDORS } from "./vendors";

const NOW = new Date("2026-11-20T10:00:00.000Z");

describe("decimalText", () => {
  it.each([
    [0, "0"],
    [10, "10"],
    [0.039, "0.039"],
    [0.1 + 0.2, "0.3"],
    [1e-7, "0.0000001"],
    [2.5e-10, "0.0000000003"],
    [1200, "1200"],
  ])("writes %d as %s", (value, text) => expect(decimalText(value)).toBe(text));

  it("round-trips every price with at most ten decimals", () => {
    const price = fc.tuple(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 0, max: 9_999_999_999 }));
    fc.assert(
      fc.property(price, ([whole, decimals]) => {
        const text = `${whole}.${String(decimals).padStart(10, "0")}`.replace(/\.?0+$/, "");
        expect(decimalText(Number(text))).toBe(text);
      }),
    );
  });
});

describe("the catalogue", () => {
  it.each(VENDORS.map(({ slug, baseUrl }) => [slug, baseUrl]))(
    "finds %s by its base URL and prices its models",
    (slug, baseUrl) => {
      expect(vendorOf(baseUrl)).toBe(slug);
      const models = catalogueModels(slug, NOW);
      expect(models.filter(({ price }) => price !== null).length).toBeGreaterThan(0);
      for (const model of models) expect(catalogueModel(slug, model.id, NOW), model.id).toEqual(model);
    },
  );

  it.each([
    ["https://acme.openai.azure.com", "azure", "gpt-4o", "2.5"],
    ["https://bedrock-runtime.eu-west-1.amazonaws.com", "bedrock", "amazon.nova-pro-v1:0", "0.8"],
    ["https://europe-west4-aiplatform.googleapis.com/v1", "vertex", "claude-sonnet-4-5@20250929", "3"],
    ["https://aiplatform.eu.rep.googleapis.com/v1", "vertex", "gemini-2.5-pro", "1.25"],
    ["https://generativelanguage.googleapis.com/v1beta", "google", "gemini-2.5-pro", "1.25"],
  ])("finds the cloud of %s, and prices its models by their names there", (baseUrl, slug, model, prompt) => {
    expect(vendorOf(baseUrl)).toBe(slug);
    expect(catalogueModel(slug, model, NOW)).toMatchObject({ isChat: true, price: { prompt } });
  });

  it("doesn't match other base URLs and vendors", () => {
    expect(vendorOf("http://127.0.0.1:8080/v1")).toBeNull();
    expect(catalogueModels("nobody", NOW)).toEqual([]);
    expect(catalogueModel("nobody", "gpt-4o", NOW)).toBeNull();
    expect(catalogueModel("openai", "there-is-no-such-model", NOW)).toBeNull();
  });

  it("prices a dated name like its model", () => {
    const price = {
      prompt: "2.5",
      completion: "10",
      request: "0",
      cache_read: "1.25",
      service_tiers: { priority: "1.7" },
    };
    expect(catalogueModel("openai", "gpt-4o-2024-08-06", NOW)).toEqual({
      id: "gpt-4o-2024-08-06",
      name: "gpt 4o",
      contextLength: 128_000,
      price,
      isChat: true,
    });
  });

  it.each([
    [
      "steps by size",
      "google",
      "gemini-2.5-pro",
      NOW,
      {
        prompt: "1.25",
        completion: "10",
        request: "0",
        cache_read: "0.125",
        tiers: [{ above: 200_000, prompt: "2.5", completion: "15", cache_read: "0.25" }],
      },
    ],
    [
      "writes to a cache",
      "anthropic",
      "claude-sonnet-4-0",
      NOW,
      { cache_read: "0.3", cache_write: "3.75", cache_write_1h: "6" },
    ],
    ["audio", "google", "gemini-2.5-flash", NOW, { prompt: "0.3", audio_input: "1" }],
    ["service tiers", "openai", "gpt-5-mini", NOW, { service_tiers: { flex: "0.5", priority: "1.8" } }],
    [
      "prices by hour: the highest",
      "deepseek",
      "deepseek-chat",
      NOW,
      { prompt: "0.27", completion: "1.1", request: "0" },
    ],
    [
      "a future price: not before its date",
      "google",
      "gemini-3.6-flash",
      NOW,
      { prompt: "0.75", completion: "3.75", request: "0" },
    ],
    [
      "a future price: from its date",
      "google",
      "gemini-3.6-flash",
      new Date("2027-01-01T00:00:00Z"),
      { prompt: "1.5", completion: "7.5", request: "0" },
    ],
    ["a price per request", "perplexity", "sonar", NOW, { prompt: "1", completion: "1", request: "0.012" }],
  ])("%s", (_, vendor, id, now, price) => expect(catalogueModel(vendor, id, now)?.price).toMatchObject(price));

  it.each([
    ["embeddings, which have no output tokens", "openai", "text-embedding-3-small", "0.02"],
    ["a model that is free by its name", "openrouter", "qwen/qwen3-coder:free", "0"],
  ])("has a price for %s", (_, vendor, id, prompt) => {
    expect(catalogueModel(vendor, id, NOW)?.price).toEqual({ prompt, completion: "0", request: "0" });
  });

  it.each([
    ["of another kind without one for output tokens", "azure", "davinci"],
    ["without any", "google", "gemma-3"],
  ])("has no price for a model %s", (_, vendor, id) => {
    expect(catalogueModel(vendor, id, NOW)).toMatchObject({ price: null });
  });

  it.each([
    ["openai", "gpt-4o", true],
    ["google", "gemma-3", true],
    ["openai", "text-embedding-3-small", false],
    ["openai", "whisper-1", false],
  ])("%s's %s chats: %s", (vendor, id, isChat) => expect(catalogueModel(vendor, id, NOW)?.isChat).toBe(isChat));

  it("uses model names of the vendor's API", () => {
    expect(catalogueModels("fireworks", NOW).map(({ id }) => id)).toContain("accounts/fireworks/models/deepseek-v3p2");
  });
});

describe("a Bedrock name with a region in front", () => {
  const REGIONS = ["us", "eu", "apac", "jp", "us-gov"];

  it.each([
    ["anthropic.claude-sonnet-4-5-20250929-v1:0", "anthropic"],
    ["anthropic.claude-opus-5-v1:0", "anthropic"],
    ["amazon.nova-pro-v1:0", "amazon"],
    ["meta.llama3-3-70b-instruct-v1:0", "meta"],
  ])("has the price and the vendor of %s", (name, vendor) => {
    const price = catalogueModel("bedrock", name, NOW)?.price;
    expect(price).toBeDefined();
    for (const region of REGIONS) {
      expect(catalogueModel("bedrock", `${region}.${name}`, NOW)?.price, region).toEqual(price);
      expect(makerOf([`${region}.${name}`]), region).toBe(vendor);
    }
    expect(makerOf([`global.${name}`])).toBe(vendor);
    expect(catalogueModel("bedrock", `global.${name}`, NOW)?.price).toBeTruthy();
  });
});

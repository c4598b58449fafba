import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ModelSlug } from "../models/contract";
import { planImport, slugOf, type ImportOptions } from "./import-plan";

const PRICE = { prompt: "1", completion: "2", request: "0" };
const listed = (...ids: string[]) => ids.map((id) => ({ id, contextLength: null }));
const wanted = (given: Partial<ImportOptions> = {}): ImportOptions => ({
  providerSlug: "acme",
  models: null,
  prefix: null,
  ownVendor: null,
  isRetired: () => false,
  zdrVendors: [],
  lookUp: () => null,
  ...given,
});

describe("slugOf", () => {
  it.each([
    ["gpt-5", null, "acme/gpt-5"],
    ["meta-llama/Llama-3.3-70B", null, "meta-llama/llama-3.3-70b"],
    ["models/gemini-2.5-pro", null, "acme/gemini-2.5-pro"],
    ["accounts/fireworks/models/qwen3", null, "acme/qwen3"],
    ["@cf/meta/llama", null, "cf/meta/llama"],
    ["llama3:8b", null, "acme/llama3:8b"],
    ["qwen/qwen3", "groq", "groq/qwen/qwen3"],
    ["a b", null, "acme/a-b"],
    ["日本", null, null],
    ["a".repeat(200), null, null],
  ])("%s under prefix %s → %s", (id, prefix, slug) => expect(slugOf(id, "acme", prefix)).toBe(slug));

  it("returns a valid slug or none for any upstream name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (id) => {
        const slug = slugOf(id, "acme", null);
        expect(slug === null || ModelSlug.safeParse(slug).success).toBe(true);
      }),
    );
  });
});

describe("planImport", () => {
  it("imports chat models with name, context length and price where known", () => {
    const lookUp = (id: string) =>
      id === "large" ? { id, name: "Large", contextLength: 1000, price: PRICE, isChat: true } : null;
    const { planned, skipped } = planImport(
      [
        { id: "large", contextLength: null },
        { id: "own", contextLength: 5 },
      ],
      wanted({ lookUp }),
    );
    const vendor = { vendor: "unknown", source: "unknown" };
    expect(planned).toEqual([
      {
        slug: "acme/large",
        upstreamModel: "large",
        name: "Large",
        vendor,
        contextLength: 1000,
        price: PRICE,
        priceSource: "catalogue",
        dataRegion: "global",
      },
      {
        slug: "acme/own",
        upstreamModel: "own",
        name: "acme/own",
        vendor,
        contextLength: 5,
        price: null,
        priceSource: "unknown",
        dataRegion: "global",
      },
    ]);
    expect(skipped).toEqual([]);
  });

  it("prefers the upstream's context length to the catalogue's", () => {
    const lookUp = (id: string) => ({ id, name: null, contextLength: 1, price: PRICE, isChat: true });
    expect(planImport([{ id: "m", contextLength: 9 }], wanted({ lookUp })).planned[0]?.contextLength).toBe(9);
  });

  it.each([
    ["us.anthropic.claude-opus-5-v1:0", "us"],
    ["us-gov.anthropic.claude-opus-5-v1:0", "us"],
    ["eu.anthropic.claude-opus-5-v1:0", "europe"],
    ["arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-opus-5-v1:0", "europe"],
    ["apac.anthropic.claude-opus-5-v1:0", "global"],
    ["global.anthropic.claude-opus-5-v1:0", "global"],
    ["anthropic.claude-opus-5-v1:0", "global"],
  ])("takes the data region of %s from its inference profile on Bedrock", (id, dataRegion) => {
    expect(planImport(listed(id), wanted({ isBedrock: true, prefix: "b" })).planned[0]).toMatchObject({ dataRegion });
    expect(planImport(listed(id), wanted({ prefix: "b" })).planned[0]).toMatchObject({ dataRegion: "global" });
  });

  it.each([
    "text-embedding-3-small",
    "whisper-1",
    "tts-1-hd",
    "dall-e-3",
    "omni-moderation-latest",
    "gpt-4o-mini-transcribe",
    "gpt-4o-realtime-preview",
    "gpt-image-1",
  ])("skips %s unless selected by name", (id) => {
    expect(planImport(listed(id), wanted())).toEqual({
      planned: [],
      skipped: [{ upstream_model: id, reason: "not_chat" }],
    });
    expect(planImport(listed(id), wanted({ models: [id] })).planned).toHaveLength(1);
  });

  it("skips known non-chat models, but not models without a price", () => {
    const lookUp = (id: string) => ({ id, name: null, contextLength: null, price: null, isChat: id === "free" });
    const { planned, skipped } = planImport(listed("speech", "free"), wanted({ lookUp }));
    expect(planned).toMatchObject([{ slug: "acme/free", price: null }]);
    expect(skipped).toEqual([{ upstream_model: "speech", reason: "not_chat" }]);
  });

  it("reports selected names missing in the list, and duplicate slugs", () => {
    const { planned, skipped } = planImport(listed("Large", "large"), wanted({ models: ["Large", "large", "tiny"] }));
    expect(planned.map(({ upstreamModel }) => upstreamModel)).toEqual(["Large"]);
    expect(skipped).toEqual([
      { upstream_model: "large", reason: "exists", slug: "acme/large" },
      { upstream_model: "tiny", reason: "not_listed" },
    ]);
  });
});

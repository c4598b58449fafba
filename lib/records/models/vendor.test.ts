import { describe, expect, it } from "vitest";
import { importedVendor, statedVendor, vendorOf } from "./vendor";

const served = (upstreamModel: string, provider: string, slug = `${provider}/${upstreamModel}`) => ({
  slug,
  endpoints: [{ provider, upstreamModel }],
});

describe("the vendor of an imported model is who made it, whatever provider serves it", () => {
  it.each([
    ["bedrock", "anthropic.claude-opus-5", null, "anthropic", "catalogue"],
    ["bedrock", "us.anthropic.claude-opus-5", null, "anthropic", "catalogue"],
    ["bedrock", "eu.meta.llama3-2-1b-instruct-v1:0", null, "meta", "catalogue"],
    ["bedrock", "arn:aws:bedrock:us-east-1:1:inference-profile/us.amazon.nova-pro-v1:0", null, "amazon", "catalogue"],
    ["gemini", "models/gemini-2.5-pro", "google", "google", "catalogue"],
    ["gemini", "models/aqa", "google", "google", "catalogue"],
    ["vertex", "publishers/anthropic/models/claude-sonnet-4-5@20250929", null, "anthropic", "catalogue"],
    ["azure", "my-gpt-4o-deployment", null, "openai", "catalogue"],
    ["azure", "gpt-35-turbo", null, "openai", "catalogue"],
    ["openai2", "gpt-5", "openai", "openai", "catalogue"],
    ["openai2", "ft:gpt-4o-mini:acme::1", "openai", "openai", "catalogue"],
    ["router", "x-ai/grok-4", null, "xai", "catalogue"],
    ["router", "~anthropic/latest", null, "anthropic", "catalogue"],
    ["router", "deepseek/deepseek-r1-distill-llama-70b", null, "deepseek", "catalogue"],
    ["fireworks", "accounts/fireworks/models/gpt-oss-120b", null, "openai", "catalogue"],
    ["lab", "qwen2p5-vl-72b-instruct", null, "qwen", "catalogue"],
    ["router", "sao10k/l3-euryale-70b", null, "sao10k", "upstream"],
    ["router", "openrouter/auto", null, "unknown", "unknown"],
    ["lab", "lab/own", null, "unknown", "unknown"],
    ["lab", "tiny-1", null, "unknown", "unknown"],
    ["bedrock", "arn:aws:bedrock:us-east-1:1:imported-model/abc", null, "unknown", "unknown"],
  ])("%s serves %s", (provider, upstreamModel, ownVendor, vendor, source) => {
    expect(importedVendor(served(upstreamModel, provider), ownVendor, [])).toEqual({ vendor, source });
  });

  it("is the vendor with a switch of its own that the provider is named after", () => {
    expect(importedVendor(served("tiny", "acme"), null, ["acme"])).toEqual({ vendor: "acme", source: "admin" });
  });
});

describe("the vendor of a model that an admin adds", () => {
  it.each([
    [served("gpt-5", "openai"), "openai", "catalogue"],
    [served("claude-opus-5", "proxy", "team/fast"), "anthropic", "catalogue"],
    [served("Llama-3", "proxy", "Meta-Llama/Llama-3"), "meta", "catalogue"],
    [served("sandbox/echo", "sandbox", "acme/large"), "acme", "admin"],
    [served("sandbox/echo", "sandbox", "sandbox/echo"), "sandbox", "admin"],
    [served("large", "acme"), "unknown", "unknown"],
    [served("large", "acme", "large"), "unknown", "unknown"],
    [served("own", "cloud", "bedrock/own"), "unknown", "unknown"],
  ])("%o: %s (%s)", (model, vendor, source) => expect(vendorOf(model)).toEqual({ vendor, source }));

  it("has the source admin only if it states something else than what is known", () => {
    const known = { vendor: "anthropic", source: "catalogue" } as const;
    expect(statedVendor("anthropic", known)).toEqual(known);
    expect(statedVendor("unknown", known)).toEqual(known);
    expect(statedVendor("acme", known)).toEqual({ vendor: "acme", source: "admin" });
  });
});

import { describe, expect, it } from "vitest";
import { isBedrockName, modelIdentity } from "./model-identity";

const SAME: Readonly<Record<string, readonly (readonly string[])[]>> = {
  anthropic: [
    [
      "claude-opus-5",
      "anthropic/claude-opus-5",
      "anthropic.claude-opus-5",
      "anthropic.claude-opus-5-v1",
      "anthropic.claude-opus-5-v1:0",
      "us.anthropic.claude-opus-5-v1:0",
      "eu.anthropic.claude-opus-5-v1:0",
      "apac.anthropic.claude-opus-5-v1:0",
      "global.anthropic.claude-opus-5-v1:0",
      "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-opus-5-v1:0",
      "bedrock/anthropic.claude-opus-5-v1:0",
    ],
    [
      "claude-opus-4-5",
      "claude-opus-4-5-20251101",
      "claude-opus-4-5@20251101",
      "claude-opus-4-5-latest",
      "anthropic/claude-opus-4.5",
      "us.anthropic.claude-opus-4-5-20251101-v1:0",
    ],
    ["claude-sonnet-4-20250514", "claude-sonnet-4-0", "claude-sonnet-4@20250514", "anthropic/claude-sonnet-4"],
    ["claude-3-5-sonnet-20241022", "anthropic.claude-3-5-sonnet-20241022-v2:0"],
    ["claude-3-5-sonnet-20240620", "anthropic.claude-3-5-sonnet-20240620-v1:0"],
  ],
  openai: [
    ["gpt-5", "openai/gpt-5", "openai2/gpt-5", "GPT-5"],
    ["gpt-5-2025-08-07", "openai/gpt-5-2025-08-07"],
    ["gpt-5-mini"],
    ["gpt-3.5-turbo", "gpt-35-turbo"],
    ["gpt-oss-120b", "openai.gpt-oss-120b-1:0", "openai/gpt-oss-120b"],
    ["openai/gpt-oss-120b:free"],
  ],
  google: [
    ["gemini-2.5-pro", "models/gemini-2.5-pro", "publishers/google/models/gemini-2.5-pro"],
    ["gemini-2.5-flash"],
  ],
  meta: [
    ["meta.llama3-1-8b-instruct-v1:0", "meta-llama/Llama-3.1-8B-Instruct", "Meta-Llama-3.1-8B-Instruct"],
    ["meta-llama/Llama-3-8B-Instruct", "us.meta.llama3-8b-instruct-v1:0"],
    ["meta-llama/Meta-Llama-3.1-8B-Instruct-Turbo"],
  ],
  amazon: [
    ["amazon.titan-embed-text-v1"],
    ["amazon.titan-embed-text-v2:0"],
    ["eu.amazon.nova-pro-v1:0", "nova-pro-v1"],
  ],
  cohere: [["command-r"], ["command-r+"], ["command-r7b-12-2024"]],
  mistral: [["mistral.mistral-7b-instruct-v0:2"], ["mistral-7b-instruct"]],
};

describe("one model at several providers", () => {
  it.each(Object.entries(SAME))("of %s has one identity, and another model another one", (vendor, models) => {
    const identities = models.map((names) => [...new Set(names.map((name) => modelIdentity(vendor, name)))]);
    expect(identities.filter((ofOne) => ofOne.length > 1)).toEqual([]);
    expect(new Set(identities.flat()).size).toBe(models.length);
  });

  it("has the identity of its vendor, whichever name of the vendor is used", () => {
    expect(modelIdentity("x-ai", "grok-4")).toBe(modelIdentity("xai", "x-ai/grok-4"));
    expect(modelIdentity("acme", "grok-4")).not.toBe(modelIdentity("xai", "grok-4"));
  });

  it("may have several names on Bedrock", () => {
    expect(["anthropic.claude-opus-5", "bedrock/us.anthropic.claude-opus-5-v1:0"].filter(isBedrockName)).toHaveLength(
      2,
    );
    expect(["claude-opus-4.5", "anthropic/claude-opus-4.5", "a/b.c", "o1"].filter(isBedrockName)).toEqual([]);
  });
});

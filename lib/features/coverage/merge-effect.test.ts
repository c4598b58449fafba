import { expect, it } from "vitest";
import { mergeEffect } from "./merge-effect";

const model = { slug: "azure/gpt-5", canonicalSlug: "azure/gpt-5", vendor: "openai", providers: ["azure", "eu"] };
const effectOf = (allowed: string[] | null, ignored: string[] | null, canonicalSlug = "openai/gpt-5") =>
  mergeEffect({ allowed, ignored }, model, canonicalSlug);

it.each<[string, string[] | null, string[] | null, ReturnType<typeof mergeEffect>]>([
  ["no lists", null, null, null],
  ["an allow list that names the canonical model", ["openai/gpt-5"], null, "allows"],
  ["an allow list with both names", ["openai/gpt-5", "azure/gpt-5"], null, null],
  ["an allow list with the vendor's wildcard", ["openai/*"], null, null],
  ["an allow list with one provider's wildcard and the canonical model", ["eu/*", "openai/gpt-5"], null, "allows"],
  ["an allow list of other models", ["acme/one"], null, null],
  ["a block list that names the canonical model, in capitals", null, ["OpenAI/GPT-5"], "blocks"],
  ["a block list with both names", null, ["openai/gpt-5", "azure/gpt-5"], null],
  ["both lists", ["azure/gpt-5"], ["openai/gpt-5"], "blocks"],
])("tells the effect of merging a duplicate model on a guardrail: %s", (_, allowed, ignored, expected) => {
  expect(effectOf(allowed, ignored)).toBe(expected);
});

it("blocks a model that an allow list names by the canonical slug it loses", () => {
  const renamed = { ...model, canonicalSlug: "house/gpt" };
  expect(mergeEffect({ allowed: ["house/gpt"], ignored: null }, renamed, "openai/gpt-5")).toBe("blocks");
});

import { describe, expect, it } from "vitest";
import { GuardrailFields } from "./contract";
import { endpointOf } from "../../testing/endpoints";
import { layerOf } from "../../testing/layers";
import { ChatCompletionsBody } from "../protocols/contracts/chat-request-contract";
import type { Layer } from "./layers";
import { refusalsOf } from "./routing";
import { expandModels, expandProviders, NAME_RULE } from "./vocabulary";

const MODELS = [
  { slug: "acme/two", canonicalSlug: "acme/two", vendor: "acme", providers: ["acme"] },
  { slug: "acme/one", canonicalSlug: "acme/one-2026", vendor: "acme", providers: ["acme", "cloud"] },
  { slug: "cloud/claude", canonicalSlug: "cloud/claude", vendor: "anthropic", providers: ["cloud"] },
  { slug: "large", canonicalSlug: "house/a/large", vendor: "unknown", providers: ["lab"] },
];

describe("vendor/* and provider/* in lists of models", () => {
  it.each([
    ["the first part of the slug", ["acme/*"], ["acme/one", "acme/two"]],
    ["the vendor", ["anthropic/*"], ["cloud/claude"]],
    ["the provider", ["cloud/*"], ["acme/one", "cloud/claude"]],
    ["parts of the canonical slug", ["house/a/*"], ["large"]],
    ["any case", ["ACME/*"], ["acme/one", "acme/two"]],
    ["names beside them stay, each once", ["x/y", "acme/*", "acme/one"], ["x/y", "acme/one", "acme/two"]],
    ["nothing", ["other/*"], []],
  ])("%s", (_, entries, expected) => expect(expandModels(entries, MODELS)).toEqual(expected));

  it("provider/* in lists of providers is the provider", () => {
    expect(expandProviders(["Cloud/*", "lab"], ["acme", "cloud"])).toEqual(["cloud", "lab"]);
  });
});

describe("a guardrail's wildcard", () => {
  const endpoint = endpointOf({ model: { slug: "cloud/claude", vendor: "anthropic" }, provider: { slug: "aws" } });
  const refusals = (fields: Partial<Layer["guardrail"]>) =>
    refusalsOf([layerOf(fields)], endpoint, ["anthropic", "openai", "google"]).map(({ field }) => field);

  it.each([
    [{ allowed_models: ["anthropic/*"] }, []],
    [{ allowed_models: ["cloud/*"] }, []],
    [{ allowed_models: ["aws/*"] }, []],
    [{ allowed_models: ["openai/*"] }, ["allowed_models"]],
    [{ ignored_models: ["Anthropic/*"] }, ["ignored_models"]],
    [{ allowed_models: ["anthropic/*"], ignored_models: ["cloud/claude"] }, ["ignored_models"]],
    [{ allowed_providers: ["aws/*"] }, []],
    [{ allowed_providers: ["anthropic/*"] }, ["allowed_providers"]],
    [{ ignored_providers: ["aws/*"] }, ["ignored_providers"]],
  ])("%o: %o", (fields, expected) => expect(refusals(fields)).toEqual(expected));
});

describe("other patterns are an error that names the rule", () => {
  const fields = ["allowed_models", "ignored_models", "allowed_providers", "ignored_providers"] as const;
  const patterns = ["*", "/*", "acme/*/one", "acme*", "*/one", "acme/**"];
  it.each(fields.flatMap((field) => patterns.map((pattern) => [field, pattern] as const)))(
    "%s: %s",
    (field, pattern) => {
      const { error } = GuardrailFields.partial().safeParse({ [field]: ["acme/*", pattern] });
      expect(error?.issues).toMatchObject([{ path: [field, 1], message: NAME_RULE }]);
    },
  );

  it("in fallbacks of presets and requests", () => {
    const body = { messages: [{ role: "user", content: "Hi" }], models: ["acme/*", "ac*"] };
    const { error } = ChatCompletionsBody.safeParse(body);
    expect(error?.issues).toMatchObject([{ path: ["models", 1], message: NAME_RULE }]);
  });
});

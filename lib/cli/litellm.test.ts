import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { toYaml } from "../features/policy-file/yaml";
import { fromLitellm } from "./litellm";
import { LitellmConfig } from "./litellm-config";
import { checkPolicyFile } from "./read-file";

const NOW = new Date("2026-11-28T12:00:00Z");

/** Converts a configuration; the result must be a valid policy file. */
function converted(yaml: string) {
  const { file, notes } = fromLitellm(LitellmConfig.parse(parse(yaml)), NOW);
  checkPolicyFile("policy.yaml", toYaml(file));
  return { ...file, notes };
}

const deployment = (params: string, more = "") => `
model_list:
  - model_name: answers
    litellm_params: { ${params} }
${more}`;

describe("a deployment's provider", () => {
  it.each([
    [
      "model: openai/gpt-4o, api_key: os.environ/OPENAI_API_KEY",
      { slug: "openai", base_url: "https://api.openai.com/v1", api_key: { env: "OPENAI_API_KEY" } },
      "gpt-4o",
    ],
    [
      "model: gpt-4o, api_key: os.environ/OPENAI_API_KEY",
      { slug: "openai", base_url: "https://api.openai.com/v1" },
      "gpt-4o",
    ],
    [
      "model: claude-sonnet-4-5, api_key: os.environ/KEY",
      { slug: "anthropic", kind: "anthropic" },
      "claude-sonnet-4-5",
    ],
    [
      "model: anthropic/claude-sonnet-4-5, api_key: os.environ/KEY",
      { slug: "anthropic", kind: "anthropic" },
      "claude-sonnet-4-5",
    ],
    ["model: gemini/gemini-2.5-pro, api_key: os.environ/KEY", { slug: "google", kind: "gemini" }, "gemini-2.5-pro"],
    [
      'model: azure/our-gpt, api_base: "https://acme.openai.azure.com/", api_version: "2024-02-01", api_key: os.environ/KEY',
      {
        slug: "azure",
        kind: "azure",
        base_url: "https://acme.openai.azure.com",
        settings: { api_version: "2024-02-01" },
      },
      "our-gpt",
    ],
    [
      "model: bedrock/converse/anthropic.claude-v2, aws_region_name: eu-west-1, aws_access_key_id: os.environ/ID, aws_secret_access_key: os.environ/SECRET",
      {
        slug: "bedrock",
        kind: "bedrock",
        base_url: "https://bedrock-runtime.eu-west-1.amazonaws.com",
        settings: { region: "eu-west-1" },
        credentials: { access_key_id: { env: "ID" }, secret_access_key: { env: "SECRET" } },
      },
      "anthropic.claude-v2",
    ],
    [
      "model: vertex_ai/gemini-2.5-pro, vertex_project: acme, vertex_location: europe-west4, vertex_credentials: os.environ/ACCOUNT",
      {
        slug: "vertex",
        kind: "vertex",
        base_url: "https://europe-west4-aiplatform.googleapis.com/v1",
        settings: { project: "acme", location: "europe-west4" },
        credentials: { service_account: { env: "ACCOUNT" } },
      },
      "gemini-2.5-pro",
    ],
    [
      "model: groq/llama-3.3-70b-versatile, api_key: os.environ/GROQ",
      { slug: "groq", base_url: "https://api.groq.com/openai/v1" },
      "llama-3.3-70b-versatile",
    ],
    [
      "model: together_ai/meta-llama/Llama-3-70b, api_key: os.environ/T",
      { slug: "together" },
      "meta-llama/Llama-3-70b",
    ],
    [
      'model: ollama/llama3, api_base: "http://127.0.0.1:11434"',
      { slug: "ollama", base_url: "http://127.0.0.1:11434/v1" },
      "llama3",
    ],
    [
      'model: hosted_vllm/qwen, api_base: "http://gpu.example:8000/v1"',
      { slug: "vllm", base_url: "http://gpu.example:8000/v1" },
      "qwen",
    ],
    [
      'model: openai/our-model, api_base: "https://llm.acme.example/v1", api_key: os.environ/KEY',
      { slug: "llm.acme.example", base_url: "https://llm.acme.example/v1" },
      "our-model",
    ],
  ])("of %s", (params, provider, upstream) => {
    const { providers, models } = converted(deployment(params));
    expect(providers).toMatchObject([provider]);
    expect(models).toMatchObject([
      { slug: "answers", endpoints: [{ provider: provider.slug, upstream_model: upstream }] },
    ]);
  });

  it("is one for equal addresses and keys, and another for another key", () => {
    const { providers, models } = converted(`
model_list:
  - { model_name: a, litellm_params: { model: openai/gpt-4o, api_key: os.environ/ONE } }
  - { model_name: a, litellm_params: { model: openai/gpt-4o-mini, api_key: os.environ/TWO } }
  - { model_name: b, litellm_params: { model: openai/gpt-4o, api_key: os.environ/ONE } }`);
    expect(providers?.map(({ slug }) => slug)).toEqual(["openai", "openai-2"]);
    expect(models?.map(({ endpoints }) => endpoints.map(({ provider }) => provider))).toEqual([
      ["openai", "openai-2"],
      ["openai"],
    ]);
  });

  it("never contains a key that is in the configuration", () => {
    const { providers, notes } = converted(deployment("model: openai/gpt-4o, api_key: sk-very-secret"));
    expect(providers).toMatchObject([{ api_key: { env: "OPENAI_API_KEY" } }]);
    expect(JSON.stringify([providers, notes])).not.toContain("sk-very-secret");
    expect(notes.join()).toContain("set OPENAI_API_KEY");
  });
});

describe("a price", () => {
  it.each([
    ["model: openai/x, input_cost_per_token: 0.000001, output_cost_per_token: 2e-6", { prompt: "1", completion: "2" }],
    ["model: openai/gpt-4o", { prompt: "2.5", completion: "10" }],
    ["model: openai/unheard-of", undefined],
  ])("of %s is %j", (params, price) => {
    const { models, notes } = converted(deployment(params));
    if (price) expect(models?.[0]?.endpoints[0]?.price).toMatchObject(price);
    else expect(models?.[0]?.endpoints[0]).not.toHaveProperty("price");
    expect(notes.some((note) => note.includes("no known price"))).toBe(price === undefined);
  });
});

it("names what has no counterpart, each with what to do", () => {
  const { notes, models } = converted(`
model_list:
  - { model_name: "openai/*", litellm_params: { model: "openai/*" } }
  - { model_name: fast, litellm_params: { model: openai/gpt-4o, rpm: 10, weight: 2, api_key: os.environ/K } }
  - { model_name: odd, litellm_params: { model: sagemaker/jumpstart } }
litellm_settings: { callbacks: [langfuse], cache: true, unheard_of: 1 }
router_settings: { routing_strategy: usage-based-routing, redis_host: localhost }
general_settings: { master_key: sk-1234, database_url: "postgresql://x" }`);
  expect(models?.map(({ slug }) => slug)).toEqual(["fast"]);
  for (const part of [
    "openai/* is a wildcard",
    "rpm, weight of fast",
    "sagemaker",
    "callbacks",
    "cache",
    "unheard_of",
    "routing_strategy",
    "redis_host",
    "master_key",
    "database_url",
  ])
    expect(notes.join("\n")).toContain(part);
  expect(notes.join("\n")).not.toContain("sk-1234");
});

it("makes aliases models, and fallbacks presets", () => {
  const { models, workspaces } = converted(`
model_list:
  - { model_name: smart, litellm_params: { model: openai/gpt-4o, api_key: os.environ/K } }
  - { model_name: cheap, litellm_params: { model: openai/gpt-4o-mini, api_key: os.environ/K } }
litellm_settings: { fallbacks: [{ smart: [cheap] }] }
router_settings: { model_group_alias: { gpt-4: smart } }`);
  expect(models?.map(({ slug }) => slug)).toEqual(["smart", "cheap", "gpt-4"]);
  expect(workspaces?.[0]?.presets).toEqual([
    { slug: "smart", versions: [{ in_use: true, config: { model: "smart", models: ["cheap"] } }] },
  ]);
});

it("makes guardrails content filters, and joins those that are always on", () => {
  const { workspaces, notes } = converted(`
guardrails:
  - guardrail_name: pii
    litellm_params: { guardrail: presidio, mode: pre_call, default_on: true, pii_entities_config: { EMAIL_ADDRESS: MASK, CREDIT_CARD: BLOCK, CRYPTO: MASK } }
  - { guardrail_name: keys, litellm_params: { guardrail: hide-secrets, mode: pre_call, default_on: true } }
  - { guardrail_name: lakera, litellm_params: { guardrail: lakera_v2, mode: pre_call } }`);
  expect(workspaces?.[0]).toMatchObject({
    default_guardrail: "Default",
    guardrails: [
      {
        name: "Default",
        content_filter_builtins: [
          { slug: "email", action: "redact" },
          { slug: "credit-card", action: "block" },
          { slug: "secrets", action: "redact" },
        ],
      },
    ],
  });
  expect(notes.join("\n")).toContain("CRYPTO");
  expect(notes.join("\n")).toContain("lakera");
});

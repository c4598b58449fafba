import { describe, expect, it } from "vitest";
import { embedRequest } from "../../../engine/protocols/generate-content/embeddings";
import { tokenEndpoint } from "../../../testing/token-endpoint";
import type { ProviderSettings } from "../kinds-contract";
import type { ProviderKind } from "../vocabulary";
import type { Unsigned } from "./kind";
import { KINDS } from "./kinds";

const CREDENTIALS = { apiKey: "secret", named: {}, headers: {} };

describe.each<[ProviderKind, string, ProviderSettings, string, string]>([
  ["openai", "https://api.openai.com/v1/", {}, "/chat/completions", "https://api.openai.com/v1/chat/completions"],
  ["anthropic", "https://api.anthropic.com/v1", {}, "/messages", "https://api.anthropic.com/v1/messages"],
  ["anthropic", "https://api.anthropic.com/", {}, "/messages", "https://api.anthropic.com/v1/messages"],
  [
    "anthropic",
    "https://api.deepseek.com/anthropic/v1",
    {},
    "/messages",
    "https://api.deepseek.com/anthropic/v1/messages",
  ],
  [
    "azure",
    "https://acme.openai.azure.com",
    {},
    "/chat/completions",
    "https://acme.openai.azure.com/openai/v1/chat/completions",
  ],
  [
    "azure",
    "https://acme.openai.azure.com/openai/v1",
    {},
    "/responses",
    "https://acme.openai.azure.com/openai/v1/responses",
  ],
  [
    "azure",
    "https://acme.openai.azure.com/openai",
    { api_version: "2024-10-21" },
    "/chat/completions",
    "https://acme.openai.azure.com/openai/deployments/gpt%205/chat/completions?api-version=2024-10-21",
  ],
  [
    "azure",
    "https://acme.openai.azure.com/",
    { api_version: "2025-04-01-preview" },
    "/responses",
    "https://acme.openai.azure.com/openai/responses?api-version=2025-04-01-preview",
  ],
  [
    "gemini",
    "https://generativelanguage.googleapis.com/v1beta/",
    {},
    "/models/gemini-3-pro:generateContent",
    "https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:generateContent",
  ],
  [
    "vertex",
    "https://aiplatform.googleapis.com/v1",
    { project: "acme", location: "global" },
    "/models/gemini-3-pro:streamGenerateContent?alt=sse",
    "https://aiplatform.googleapis.com/v1/projects/acme/locations/global/publishers/google/models/gemini-3-pro:streamGenerateContent?alt=sse",
  ],
  [
    "vertex",
    "https://europe-west4-aiplatform.googleapis.com/v1",
    { project: "acme", location: "europe-west4" },
    "/endpoints/123:generateContent",
    "https://europe-west4-aiplatform.googleapis.com/v1/projects/acme/locations/europe-west4/endpoints/123:generateContent",
  ],
])("%s at %s with %j", (kind, baseUrl, settings, path, url) => {
  it(`sends ${path} to ${url}`, () =>
    expect(KINDS[kind].urlOf({ baseUrl, settings }, { path, model: "gpt 5" })).toBe(url));
});

it.each<[ProviderKind, string, ProviderSettings, string]>([
  ["openai", "https://api.openai.com/v1", {}, "https://api.openai.com/v1/models"],
  ["anthropic", "https://api.anthropic.com/v1", {}, "https://api.anthropic.com/v1/models?limit=1000"],
  ["azure", "https://acme.openai.azure.com", {}, "https://acme.openai.azure.com/openai/v1/models"],
  [
    "azure",
    "https://acme.openai.azure.com",
    { api_version: "2024-10-21" },
    "https://acme.openai.azure.com/openai/models?api-version=2024-10-21",
  ],
  [
    "gemini",
    "https://generativelanguage.googleapis.com/v1beta",
    {},
    "https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000",
  ],
])("%s at %s with %j lists its models at %s", (kind, baseUrl, settings, url) =>
  expect(KINDS[kind].modelsUrlOf({ baseUrl, settings })).toBe(url),
);

it.each<[ProviderKind, object]>([
  ["openai", { authorization: "Bearer secret" }],
  ["anthropic", { "x-api-key": "secret", "anthropic-version": "2023-06-01" }],
  ["azure", { "api-key": "secret" }],
  ["gemini", { "x-goog-api-key": "secret" }],
])("%s authenticates by %j", async (kind, headers) => {
  const request: Unsigned = { method: "POST", url: "https://acme.example/v1/x", headers: {}, body: "{}" };
  const surroundings = {
    site: { baseUrl: "https://acme.example/v1", settings: {} },
    now: new Date(0),
    send: () => Promise.reject(new Error("sends nothing else")),
  };
  expect(await KINDS[kind].authenticate(CREDENTIALS, request, surroundings)).toEqual(headers);
});

it.each([
  [false, "rawPredict"],
  [true, "streamRawPredict"],
])("vertex sends Claude, streamed: %j, to %s without its model", (isStream, method) => {
  const { vertex } = KINDS;
  const site = { baseUrl: "https://aiplatform.googleapis.com/v1", settings: { project: "acme", location: "global" } };
  const call = { path: "/messages", model: "claude-sonnet-4-5@20250929", isStream };
  const model = "projects/acme/locations/global/publishers/anthropic/models/claude-sonnet-4-5@20250929";
  expect(vertex.urlOf(site, call)).toBe(`https://aiplatform.googleapis.com/v1/${model}:${method}`);
  const body = { model: call.model, messages: [], max_tokens: 9, stream: isStream };
  expect(vertex.bodyOf?.(call, body)).toEqual({
    anthropic_version: "vertex-2023-10-16",
    messages: [],
    max_tokens: 9,
    stream: isStream,
  });
});

it("vertex predicts embeddings", () => {
  const { vertex } = KINDS;
  const site = { baseUrl: "https://aiplatform.googleapis.com/v1", settings: { project: "acme", location: "global" } };
  const { path, body } = embedRequest("text-embedding-005", ["hi"], { dimensions: 8, inputType: "search_query" });
  const call = { path, model: "text-embedding-005" };
  expect(vertex.urlOf(site, call)).toBe(
    "https://aiplatform.googleapis.com/v1/projects/acme/locations/global/publishers/google/models/text-embedding-005:predict",
  );
  expect(vertex.bodyOf?.(call, body)).toEqual({
    instances: [{ content: "hi", task_type: "RETRIEVAL_QUERY" }],
    parameters: { outputDimensionality: 8 },
  });
});

it("vertex lists no models, and authenticates by its service account's access token", async () => {
  const { vertex } = KINDS;
  const site = { baseUrl: "https://aiplatform.googleapis.com/v1", settings: { project: "acme", location: "global" } };
  expect(vertex.modelsUrlOf(site)).toBeNull();
  const now = new Date();
  const { keyFile } = await tokenEndpoint(now.getTime());
  const send = (request: Unsigned) => fetch(request.url, request);
  const credentials = { apiKey: null, named: { service_account: keyFile() }, headers: {} };
  const request: Unsigned = { method: "POST", url: `${site.baseUrl}/x`, headers: {}, body: "{}" };
  expect(await vertex.authenticate(credentials, request, { site, now, send })).toEqual({
    authorization: "Bearer ya29.token-0",
  });
});

it("a provider's header replaces the version of Anthropic's API", async () => {
  const headers = { "anthropic-version": "2099-01-01" };
  const request: Unsigned = { method: "POST", url: "https://acme.example/v1/messages", headers, body: "{}" };
  const surroundings = {
    site: { baseUrl: "https://acme.example/v1", settings: {} },
    now: new Date(0),
    send: () => Promise.reject(new Error("sends nothing else")),
  };
  expect(await KINDS.anthropic.authenticate(CREDENTIALS, request, surroundings)).toMatchObject(headers);
});

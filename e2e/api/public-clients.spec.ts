import { OpenRouter } from "@openrouter/sdk";
import OpenAI, { BadRequestError, NotFoundError } from "openai";
import { getGeneration } from "../../lib/records/generations/contract";
import { createModel } from "../../lib/records/models/contract";
import { expect, test } from "../fixtures";
import { MANAGEMENT_KEY } from "../server";
import { unique } from "../world";

test("official clients read models, endpoints, credits and their own generation with an inference key", async ({
  api,
  world,
  serverUrl,
}) => {
  const { text } = await world.inferenceKey();
  const slug = `${unique("acme")}/large`;
  const [author = "", name = ""] = slug.split("/");
  await api.call(createModel, {
    body: { slug, context_length: 1000, endpoints: [{ provider: "sandbox", price: { prompt: "2", completion: "8" } }] },
  });
  const openai = new OpenAI({ apiKey: text, baseURL: `${serverUrl}/v1`, maxRetries: 0 });
  expect(await openai.models.retrieve(slug)).toMatchObject({ id: slug, object: "model", owned_by: author });
  const unencoded = await fetch(`${serverUrl}/v1/models/${slug}`, { headers: { "api-key": text } });
  expect(await unencoded.json()).toMatchObject({ id: slug });
  await expect(openai.models.retrieve("nobody/nothing")).rejects.toThrow(NotFoundError);

  const client = new OpenRouter({ serverURL: `${serverUrl}/v1`, apiKey: text, retryConfig: { strategy: "none" } });
  expect((await client.models.get({ author, slug: name })).data.id).toBe(slug);
  expect((await client.models.count()).data.count).toBeGreaterThan(1);
  expect((await client.endpoints.list({ author, slug: name })).data).toMatchObject({
    id: slug,
    endpoints: [{ modelId: slug, tag: "sandbox", pricing: { prompt: "0.000002" } }],
  });
  const { result } = await client.models.listForUser({ bearer: text }, { limit: 1 });
  expect(result.data).toHaveLength(1);
  expect((await client.credits.getCredits()).data.totalUsage).toBe(0);
  expect((await client.apiKeys.getCurrentKeyMetadata()).data.isManagementKey).toBe(false);
  const authKey = await fetch(`${serverUrl}/v1/auth/key`, { headers: { "x-api-key": text } });
  expect(await authKey.json()).toMatchObject({ data: { is_management_key: false } });

  const { response } = await openai.chat.completions
    .create({ model: "sandbox/echo", messages: [{ role: "user", content: "hi" }] })
    .withResponse();
  const id = response.headers.get("x-generation-id") ?? "";
  await expect.poll(async () => (await client.generations.getGeneration({ id })).data.id).toBe(id);
  const { text: other } = await world.inferenceKey();
  const foreign = await fetch(`${serverUrl}/v1/generation?id=${id}`, { headers: { authorization: `Bearer ${other}` } });
  expect(foreign.status).toBe(404);
});

test("the official OpenAI client creates embeddings, and they are recorded", async ({ api, world, serverUrl }) => {
  const { text } = await world.inferenceKey();
  const openai = new OpenAI({ apiKey: text, baseURL: `${serverUrl}/v1`, maxRetries: 0 });
  const { data: answer, response } = await openai.embeddings
    .create({ model: "sandbox/echo", input: ["one two", "three"], dimensions: 4 })
    .withResponse();
  expect(answer.data.map(({ embedding }) => embedding.length)).toEqual([4, 4]);
  expect(Math.hypot(...(answer.data[0]?.embedding ?? []))).toBeCloseTo(1);
  expect(answer.usage.prompt_tokens).toBe(3);
  const query = { id: response.headers.get("x-generation-id") ?? "" };
  await expect.poll(async () => (await api.send(getGeneration, { query })).status).toBe(200);
  expect((await api.call(getGeneration, { query })).data).toMatchObject({ status: "succeeded", tokens_prompt: 3 });
  await expect(openai.embeddings.create({ model: "sandbox/echo", input: [] })).rejects.toThrow(BadRequestError);
});

test("the official OpenAI client creates text completions, whole and streamed", async ({ world, serverUrl }) => {
  const { text } = await world.inferenceKey();
  const openai = new OpenAI({ apiKey: text, baseURL: `${serverUrl}/v1`, maxRetries: 0 });
  const body = { model: "sandbox/echo", prompt: "one two" };
  expect((await openai.completions.create(body)).choices[0]?.text).toBe("You said: one two");
  let said = "";
  for await (const { choices } of await openai.completions.create({ ...body, stream: true }))
    said += choices[0]?.text ?? "";
  expect(said).toBe("You said: one two");
});

test("the activity of completed days is read with a management key", async ({ serverUrl }) => {
  const client = new OpenRouter({ serverURL: `${serverUrl}/v1`, apiKey: MANAGEMENT_KEY });
  expect(Array.isArray((await client.analytics.getUserActivity()).data)).toBe(true);
});

test("an unknown path is a 404 that names it", async ({ serverUrl }) => {
  const answer = await fetch(`${serverUrl}/v1/audio/speech?voice=a`, { method: "POST" });
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { error: { code: 404, message: "Resource not found: /v1/audio/speech" } },
  ]);
});

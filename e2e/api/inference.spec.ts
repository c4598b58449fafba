import OpenAI from "openai";
import { getGenerationContent } from "../../lib/features/content-access/contract";
import { getGeneration } from "../../lib/records/generations/contract";
import { createChatCompletion, createResponse } from "../../lib/gateway/contract";
import { readRefusal } from "../api-client";
import { expect, test } from "../fixtures";
import { createWorld } from "../world";

const messages = [{ role: "user" as const, content: "one two three" }];

test("a response: text, usage, cost, and a generation under its id", async ({ api, world }) => {
  const { text, hash } = await world.inferenceKey();
  const mine = api.as(text);
  const answer = await mine.send(createResponse, {
    body: { model: "sandbox/echo", input: "one two three", max_output_tokens: 50 },
  });
  const id = answer.headers.get("x-generation-id") ?? "";
  expect(id).toMatch(/^gen-\d+-[0-9A-Za-z]{20}$/);
  const body = createResponse.result.parse(await answer.json());
  expect(body).toMatchObject({ id, status: "completed", output_text: "You said: one two three", error: null });
  const { data } = await api.call(getGeneration, { query: { id } });
  expect(data).toMatchObject({
    id,
    status: "succeeded",
    model: "sandbox/echo",
    key_hash: hash,
    streamed: false,
    protocol: "responses",
    content_stored: true,
  });
  expect(data.total_cost).toBeCloseTo(body.usage?.cost ?? NaN, 9);
  expect(data.tokens_completion).toBe(body.usage?.output_tokens);
});

test("the token limit is applied and reported", async ({ api, world }) => {
  const { text } = await world.inferenceKey();
  const body = await api
    .as(text)
    .call(createResponse, { body: { model: "sandbox/echo", input: "one two three", max_output_tokens: 2 } });
  expect(body).toMatchObject({
    status: "incomplete",
    incomplete_details: { reason: "max_output_tokens" },
    usage: { output_tokens: 2 },
  });
});

test("a chat completion", async ({ api, world }) => {
  const { text } = await world.inferenceKey();
  const body = await api.as(text).call(createChatCompletion, { body: { model: "sandbox/echo", messages } });
  expect(body.choices).toMatchObject([
    { message: { role: "assistant", content: "You said: one two three" }, finish_reason: "stop" },
  ]);
});

test("the reasoner returns reasoning", async ({ api, world }) => {
  const { text } = await world.inferenceKey();
  const { output } = await api
    .as(text)
    .call(createResponse, { body: { model: "sandbox/reasoner", input: "one two three" } });
  expect(output.map(({ type }) => type)).toEqual(["reasoning", "message"]);
});

test("Chat Completions and Responses stream to the official OpenAI client, and the content is stored", async ({
  api,
  world,
  serverUrl,
}) => {
  const { text } = await world.inferenceKey();
  const client = new OpenAI({ apiKey: text, baseURL: `${serverUrl}/v1`, maxRetries: 0 });
  const chat = await client.chat.completions
    .create({ model: "sandbox/echo", messages, stream: true, stream_options: { include_usage: true } })
    .withResponse();
  let said = "";
  let tokens = 0;
  for await (const { choices, usage } of chat.data) {
    said += choices[0]?.delta.content ?? "";
    tokens = usage?.completion_tokens ?? tokens;
  }
  expect(said).toBe("You said: one two three");
  expect(tokens).toBeGreaterThan(0);
  const responses = await client.responses
    .create({ model: "sandbox/echo", input: "four five", stream: true })
    .withResponse();
  let whole = "";
  const events: string[] = [];
  for await (const event of responses.data) {
    events.push(event.type);
    if (event.type === "response.output_text.delta") whole += event.delta;
  }
  expect(whole).toBe("You said: four five");
  expect([events[0], events.at(-1)]).toEqual(["response.created", "response.completed"]);
  for (const [answer, completion] of [
    [chat, said],
    [responses, whole],
  ] as const) {
    const query = { id: answer.response.headers.get("x-generation-id") ?? "" };
    await expect.poll(async () => (await api.send(getGeneration, { query })).status).toBe(200);
    expect((await api.call(getGeneration, { query })).data).toMatchObject({ status: "succeeded", streamed: true });
    expect((await api.call(getGenerationContent, { query })).data.output.completion).toBe(completion);
  }
});

test("a stream closed by the caller is recorded as cancelled", async ({ api, world, serverUrl }) => {
  const { text } = await world.inferenceKey();
  const abort = new AbortController();
  const answer = await fetch(`${serverUrl}/v1/responses`, {
    method: "POST",
    signal: abort.signal,
    headers: { authorization: `Bearer ${text}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox/echo", input: "word ".repeat(50_000), stream: true }),
  });
  const query = { id: answer.headers.get("x-generation-id") ?? "" };
  await answer.body?.getReader().read();
  abort.abort();
  await expect.poll(async () => (await api.send(getGeneration, { query })).status).toBe(200);
  expect((await api.call(getGeneration, { query })).data).toMatchObject({ status: "cancelled", cancelled: true });
});

test("a failing upstream returns 502, and the generation stores the reason", async ({ api, world }) => {
  const { text } = await world.inferenceKey();
  const answer = await api.as(text).send(createChatCompletion, { body: { model: "sandbox/unavailable", messages } });
  const query = { id: answer.headers.get("x-generation-id") ?? "" };
  expect(await readRefusal(answer)).toMatchObject({
    status: 502,
    message: expect.stringContaining("The model is overloaded"),
  });
  expect((await api.call(getGeneration, { query })).data).toMatchObject({
    status: "failed",
    error: { status: 502 },
    attempts: [{ status: 503, provider: "sandbox" }],
  });
  const { data } = await api.call(getGenerationContent, { query });
  expect(data.error).toMatchObject({ status: 502, provider_name: "Sandbox" });
});

test("models are tried in order", async ({ api, world }) => {
  const { text } = await world.inferenceKey();
  const body = { model: "sandbox/unavailable", models: ["sandbox/unavailable", "sandbox/echo"], input: "hi" };
  const answer = await api.as(text).send(createResponse, { body });
  expect(answer.status).toBe(200);
  const { data } = await api.call(getGeneration, { query: { id: answer.headers.get("x-generation-id") ?? "" } });
  expect(data).toMatchObject({ model: "sandbox/echo", requested_model: "sandbox/unavailable", status: "succeeded" });
  expect(data.attempts.map(({ status }) => status)).toEqual([503, 200]);
});

test("an unknown model is rejected with an error body and a generation ID, without a 5xx", async ({ api, world }) => {
  const { text } = await world.inferenceKey();
  const refusal = await readRefusal(
    await api.as(text).send(createResponse, { body: { model: "nobody/nothing", input: "hi" } }),
  );
  expect([400, 404]).toContain(refusal.status);
});

test("without content logging a record is stored but no content", async ({ api }) => {
  const silent = await createWorld(api, { content_logging: false });
  const { text } = await silent.inferenceKey();
  const answer = await api.as(text).send(createResponse, { body: { model: "sandbox/echo", input: "secret" } });
  const query = { id: answer.headers.get("x-generation-id") ?? "" };
  expect((await api.call(getGeneration, { query })).data.content_stored).toBe(false);
  const { metadata } = await api.refuse(getGenerationContent, 404, { query });
  expect(metadata).toMatchObject({ reason: "content_not_stored" });
});

test("an inference key can't read content; the caller's attributes are stored", async ({ api, world }) => {
  const { text } = await world.inferenceKey();
  const headers = {
    "http-referer": "https://app.example",
    "x-title": "App",
    "x-openrouter-categories": "chat,dev",
    "x-session-id": "session-1",
  };
  const answer = await api
    .as(text)
    .send(createChatCompletion, { body: { model: "sandbox/echo", messages, user: "customer-7" } }, { headers });
  const query = { id: answer.headers.get("x-generation-id") ?? "" };
  await api.refuse(getGenerationContent, 403, { query }, { as: text });
  expect((await api.call(getGeneration, { query })).data).toMatchObject({
    http_referer: "https://app.example",
    app_title: "App",
    app_categories: "chat,dev",
    session_id: "session-1",
    external_user: "customer-7",
  });
});

import OpenAI from "openai";
import { getGeneration } from "../../lib/records/generations/contract";
import { expect, test as base } from "../fixtures";
import { startRealEngine, type RealEngine } from "../real-engine";
import { createUpstream } from "../world";

/** Calls a language model like an OpenAI client. */
interface Asking {
  client: OpenAI;
  model: string;
}

const test = base.extend<{ signalbox: Asking; direct: Asking }, { engine: RealEngine }>({
  engine: [
    async ({}, use) => {
      const engine = await startRealEngine();
      await use(engine);
      await engine.stop();
    },
    { scope: "worker" },
  ],
  direct: ({ engine }, use) => use({ client: new OpenAI({ apiKey: "none", baseURL: engine.baseUrl }), model: "tiny" }),
  signalbox: async ({ api, world, engine }, use) => {
    const { model } = await createUpstream(api, engine.baseUrl);
    const { text } = await world.inferenceKey();
    await use({ client: new OpenAI({ apiKey: text, baseURL: `${api.url}/v1`, maxRetries: 0 }), model });
  },
});

/** A prompt after which the most likely tokens repeat. */
const PROMPT = "Subject to the terms";
const messages = [{ role: "user" as const, content: PROMPT }];
const greedy = { temperature: 0, max_completion_tokens: 24 };

const whole = ({ client, model }: Asking) => client.chat.completions.create({ model, messages, ...greedy });

test("a real model's response is passed through unchanged, whole and streamed", async ({ direct, signalbox }) => {
  const truth = await whole(direct);
  const said = truth.choices[0]?.message.content ?? "";
  expect(said.length).toBeGreaterThan(20);
  const answer = await whole(signalbox);
  expect(answer.choices[0]).toMatchObject({ message: { role: "assistant", content: said }, finish_reason: "length" });
  expect(answer.usage).toMatchObject({ prompt_tokens: truth.usage?.prompt_tokens, completion_tokens: 24 });

  const stream = await signalbox.client.chat.completions.create({
    model: signalbox.model,
    messages,
    ...greedy,
    stream: true,
    stream_options: { include_usage: true },
  });
  const parts: string[] = [];
  let usage: OpenAI.CompletionUsage | null | undefined;
  for await (const chunk of stream) {
    const part = chunk.choices[0]?.delta.content;
    if (part) parts.push(part);
    usage = chunk.usage ?? usage;
  }
  expect(parts.join("")).toBe(said);
  expect(parts.length).toBeGreaterThan(10);
  expect(usage).toMatchObject({ ...truth.usage });
});

test("the same model through the Responses API, whole and streamed", async ({
  direct,
  signalbox: { client, model },
}) => {
  const said = (await whole(direct)).choices[0]?.message.content ?? "";
  const asked = { model, input: PROMPT, temperature: 0, max_output_tokens: 24 };
  const response = await client.responses.create(asked);
  expect(response).toMatchObject({
    status: "incomplete",
    incomplete_details: { reason: "max_output_tokens" },
    output_text: said,
    usage: { output_tokens: 24 },
  });

  let text = "";
  let end: OpenAI.Responses.Response | undefined;
  for await (const event of await client.responses.create({ ...asked, stream: true })) {
    if (event.type === "response.output_text.delta") text += event.delta;
    if (event.type === "response.incomplete" || event.type === "response.completed") end = event.response;
  }
  expect(text).toBe(said);
  expect(end).toMatchObject({ status: "incomplete", usage: { output_tokens: 24 } });
});

test("the model's token counts are recorded and priced", async ({ api, signalbox: { client, model } }) => {
  const { data, response } = await client.chat.completions
    .create({ model, messages, max_completion_tokens: 40 })
    .withResponse();
  const { prompt_tokens = 0, completion_tokens = 0 } = data.usage ?? {};
  expect(completion_tokens).toBeGreaterThan(0);
  const { data: generation } = await api.call(getGeneration, {
    query: { id: response.headers.get("x-generation-id") ?? "" },
  });
  expect(generation).toMatchObject({
    status: "succeeded",
    tokens_prompt: prompt_tokens,
    tokens_completion: completion_tokens,
    finish_reason: data.choices[0]?.finish_reason,
    total_cost: (prompt_tokens * 2 + completion_tokens * 4) / 1e6,
    attempts: [{ status: 200, error: null }],
  });
});

test("a client disconnect mid-stream is recorded", async ({ api, signalbox: { client, model } }) => {
  const { data: stream, response } = await client.chat.completions
    .create({ model, messages, temperature: 0, max_completion_tokens: 1900, stream: true })
    .withResponse();
  for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
  const id = response.headers.get("x-generation-id") ?? "";
  await expect(async () =>
    expect((await api.call(getGeneration, { query: { id } })).data).toMatchObject({
      status: "cancelled",
      cancelled: true,
    }),
  ).toPass();
});

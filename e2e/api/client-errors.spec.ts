import { brotliCompressSync, gzipSync } from "node:zlib";
import OpenAI, { BadRequestError, InternalServerError, NotFoundError, RateLimitError, type APIError } from "openai";
import { getCurrentKey } from "../../lib/records/keys/contract";
import { restoreGuardrailVersion } from "../../lib/records/guardrails/versions-contract";
import { readRefusal } from "../api-client";
import { startFakeProvider, type FakeProvider } from "../fake-provider";
import type { FakeAnswer } from "../fake-provider-answers";
import { expect, test as base } from "../fixtures";
import { MANAGEMENT_KEY } from "../server";
import { createUpstream } from "../world";

const messages = [{ role: "user" as const, content: "hi" }];

const test = base.extend<{
  fake: FakeProvider;
  failing: (...answers: FakeAnswer[]) => Promise<{ models: string[]; openai: OpenAI }>;
}>({
  fake: async ({}, use) => {
    const fake = await startFakeProvider();
    await use(fake);
    await fake.stop();
  },
  failing: async ({ api, world, fake, serverUrl }, use) =>
    use(async (...answers) => {
      const { text } = await world.inferenceKey();
      const models: string[] = [];
      for (const answer of answers) {
        const { model, upstreamModel } = await createUpstream(api, fake.baseUrl, { prompt: "2", completion: "4" });
        fake.script(upstreamModel, answer);
        models.push(model);
      }
      return { models, openai: new OpenAI({ baseURL: `${serverUrl}/v1`, apiKey: text, maxRetries: 0 }) };
    }),
});

const says = (status: number, message: string, code: string, headers = {}): FakeAnswer => ({
  status,
  body: { error: { message, code, type: `${code}_type`, param: "messages" } },
  headers,
});

type ErrorClass = abstract new (...given: never[]) => APIError;
const classes: readonly (readonly [ErrorClass, FakeAnswer, number])[] = [
  [BadRequestError, says(400, "maximum context length is 8 tokens", "context_length_exceeded"), 400],
  [NotFoundError, says(404, "the model does not exist", "model_not_found"), 404],
  [OpenAI.APIError, says(413, "too large", "request_too_large"), 413],
  [RateLimitError, says(429, "slow down", "rate_limit_exceeded", { "retry-after": "7" }), 429],
];

for (const [errorClass, answer, status] of classes) {
  test(`an upstream's ${status} is the official client's ${errorClass.name}`, async ({ failing }) => {
    const { models, openai } = await failing(answer);
    const model = models[0] ?? "";
    const { message, code, type } = (answer.body as { error: Record<string, string> }).error;
    for (const work of [
      () => openai.chat.completions.create({ model, messages }),
      () => openai.chat.completions.create({ model, messages, stream: true }),
      () => openai.responses.create({ model, input: "hi", store: false }),
    ]) {
      const error = await work().then(
        () => null,
        (reason: unknown) => reason as APIError,
      );
      expect(error).toBeInstanceOf(errorClass);
      expect(error).toMatchObject({ status, type, param: "messages", message: expect.stringContaining(message ?? "") });
      expect(error?.error).toMatchObject({ code, message, metadata: { provider_code: code } });
      expect(error?.headers?.get("retry-after")).toBe(status === 429 ? "7" : null);
    }
  });
}

test("an upstream's own trouble is a 5xx without its message", async ({ failing }) => {
  const { models, openai } = await failing(says(401, "your key is wrong", "invalid_api_key"));
  const error: unknown = await openai.chat.completions
    .create({ model: models[0] ?? "", messages })
    .catch((e: unknown) => e);
  expect(error).toBeInstanceOf(InternalServerError);
  expect(error).toMatchObject({ status: 502, error: { message: "Provider returned error" } });
});

test("other models are tried first, and the error that tells most is returned", async ({ failing }) => {
  const busy = says(429, "slow down", "rate_limit_exceeded", { "retry-after": "30" });
  const { models, openai } = await failing(busy, { text: "hello" }, { status: 503, body: "busy" });
  const [limited = "", good = "", down = ""] = models;
  const answer = await openai.chat.completions.create({ model: limited, messages, models: [good] } as never);
  expect((answer as unknown as { model: string }).model).toBe(good);
  const error: unknown = await openai.chat.completions
    .create({ model: limited, messages, models: [down] } as never)
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RateLimitError);
  expect(error).toMatchObject({ error: { message: "slow down", metadata: { previous_errors: [{ code: 503 }] } } });
});

test("compressed bodies are read on every operation, and bounded", async ({ serverUrl, world, request }) => {
  const { text } = await world.inferenceKey();
  const send = (path: string, key: string, encoding: string, data: Buffer) =>
    request.post(`${serverUrl}/v1${path}`, {
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "content-encoding": encoding },
      data,
    });
  const prompt = Buffer.from(JSON.stringify({ model: "sandbox/echo", messages }));
  for (const [encoding, compressed] of [
    ["gzip", gzipSync(prompt)],
    ["br", brotliCompressSync(prompt)],
  ] as const) {
    const answer = await send("/chat/completions", text, encoding, compressed);
    expect(await answer.json(), encoding).toMatchObject({ choices: [{ message: { content: "You said: hi" } }] });
  }
  const guardrail = gzipSync(JSON.stringify({ name: "Compressed", workspace_id: world.workspaceId }));
  expect((await send("/guardrails", MANAGEMENT_KEY, "gzip", guardrail)).status()).toBe(201);
  const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024, " "));
  expect((await send("/chat/completions", text, "gzip", bomb)).status()).toBe(413);
  expect((await send("/chat/completions", text, "gzip", prompt)).status()).toBe(400);
  const unknown = await send("/chat/completions", text, "compress", prompt);
  expect([unknown.status(), unknown.headers()["accept-encoding"]]).toEqual([415, expect.stringContaining("gzip, br")]);
});

test("x-api-key and api-key authenticate, and different keys are rejected", async ({ serverUrl, world }) => {
  const { text } = await world.inferenceKey();
  const ask = (headers: Record<string, string>) => fetch(`${serverUrl}/v1${getCurrentKey.path}`, { headers });
  const accepted: Record<string, string>[] = [
    { "x-api-key": text },
    { "api-key": text },
    { authorization: `Bearer ${text}`, "x-api-key": text },
  ];
  for (const headers of accepted) expect((await ask(headers)).status).toBe(200);
  expect((await ask({ "x-api-key": MANAGEMENT_KEY })).status).toBe(200);
  expect((await ask({ "x-api-key": `${text}x` })).status).toBe(401);
  const refusal = await readRefusal(await ask({ authorization: `Bearer ${text}`, "x-api-key": MANAGEMENT_KEY }));
  expect(refusal).toMatchObject({ status: 401, message: "Invalid credentials: Authorization and x-api-key differ" });
});

test("an operation that needs no body accepts none", async ({ api, serverUrl, world }) => {
  const { id } = await world.guardrail();
  const restored = await fetch(`${serverUrl}/v1/guardrails/${id}/versions/1/restore`, {
    method: "POST",
    headers: { "x-api-key": MANAGEMENT_KEY },
  });
  expect(restored.status).toBe(200);
  expect(await restored.json()).toMatchObject({ data: { id } });
  await api.call(restoreGuardrailVersion, { params: { id, n: "1" }, body: {} });
});

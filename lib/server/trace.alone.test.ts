import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { drained } from "../platform/database/batcher";
import { startTelemetry, stopTelemetry } from "../platform/telemetry/telemetry";
import { createChatCompletion as operation } from "../gateway/contract";
import { createChatCompletion } from "../gateway/service";
import { uuidv7 } from "../platform/ids";
import { getSession } from "../records/session/contract";
import * as session from "../records/session/service";
import { createKey } from "../testing/factories";
import { otlpReceiver } from "../testing/otlp-receiver";
import { createModel, createProvider } from "../testing/providers";
import { NOW, testDatabase, testWorld, type World } from "../testing/test-context";
import { upstreamServer } from "../testing/upstream-server";
import { handle } from "./handle";

let world: World;
let key: { id: string; text: string };

beforeAll(async () => {
  vi.stubEnv("SIGNALBOX_SECRET_KEY", Buffer.alloc(32, 7).toString("base64"));
  vi.stubEnv("SIGNALBOX_LOG_LEVEL", "silent");
  vi.stubEnv("SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS", "true");
  const database = await testDatabase();
  Object.assign(globalThis, { __signalbox: Promise.resolve({ db: database.client, database }) });
  world = await testWorld();
  key = await createKey(world);
});

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER_SPAN = "00f067aa0ba902b7";
const TRACEPARENT = `00-${TRACE_ID}-${CALLER_SPAN}-01`;
const PROMPT = "a prompt that nobody else may read";
const ANSWER = "an answer that nobody else may read";
const SECRET = "sk-secret-of-the-upstream";

const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12, prompt_tokens_details: { cached_tokens: 3 } };
const whole = {
  id: "upstream-1",
  object: "chat.completion",
  model: "acme-large-2026",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: ANSWER } }],
  usage,
};
const events = [
  { id: "upstream-1", model: "acme-large-2026", choices: [{ index: 0, delta: { content: ANSWER } }] },
  { id: "upstream-1", model: "acme-large-2026", choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage },
];

let count = 0;

/** Creates a model whose upstream responds as given. Returns its name and the headers that the upstream received. */
async function model(answer: (response: ServerResponse) => void) {
  count += 1;
  const received: IncomingHttpHeaders[] = [];
  const { url } = await upstreamServer((request, response) => {
    received.push(request.headers);
    request.resume().on("end", () => answer(response));
  });
  const slug = `traced-${count}/large`;
  await createModel(world, {
    slug,
    providerId: await createProvider(world, { slug: `traced-${count}`, baseUrl: url }),
  });
  return { slug, received, port: Number(new URL(url).port), provider: `traced-${count}` };
}

const answering = () =>
  model((response) => response.setHeader("content-type", "application/json").end(JSON.stringify(whole)));
const streaming = () =>
  model((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`);
  });
const failing = () => model((response) => response.writeHead(500).end(JSON.stringify({ error: { message: SECRET } })));

const handler = handle(operation, createChatCompletion);

async function send(body: object, headers: Record<string, string> = {}) {
  const sent = { messages: [{ role: "user", content: PROMPT }], ...body };
  const response = await handler(
    new Request("http://signalbox.test/v1/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key.text}`, ...headers },
      body: JSON.stringify(sent),
    }),
    {},
  );
  const text = await response.text();
  await drained(world.context.db);
  return { status: response.status, headers: response.headers, text };
}

const stagesIn = (header: string | null) =>
  Object.fromEntries(
    (header ?? "").split(", ").map((part) => {
      const [, name = "", ms = ""] = /^(\w+);dur=(\d+\.\d)$/.exec(part) ?? [];
      return [name, Number(ms)];
    }),
  );

describe("without an export", () => {
  it("passes the caller's place in its trace on, without tracestate", async () => {
    const { slug, received } = await answering();
    await send({ model: slug }, { traceparent: TRACEPARENT, tracestate: "congo=t61rcWkgMzE, rojo=00f067aa0ba902b7" });
    expect(received[0]).toMatchObject({ traceparent: TRACEPARENT });
    expect(received[0]).not.toHaveProperty("tracestate");
  });

  it("ignores an invalid place, and sends none of its own", async () => {
    const { slug, received } = await answering();
    await send({ model: slug }, { traceparent: `00-${"0".repeat(32)}-${CALLER_SPAN}-01`, tracestate: "a=1" });
    await send({ model: slug });
    expect(received).toHaveLength(2);
    for (const headers of received) expect(Object.keys(headers)).not.toContain("traceparent");
    for (const headers of received) expect(Object.keys(headers)).not.toContain("tracestate");
  });
});

describe("Server-Timing", () => {
  it("names each stage of a whole answer, and the sum of failed attempts", async () => {
    const [broken, working] = [await failing(), await answering()];
    const { status, headers } = await send({ model: broken.slug, models: [working.slug] });
    expect(status).toBe(200);
    const stages = stagesIn(headers.get("server-timing"));
    expect(Object.keys(stages)).toEqual(["policy", "filters", "budget", "connect", "first_byte", "record", "total"]);
    expect(stages["total"]).toBeGreaterThanOrEqual(stages["first_byte"] ?? NaN);
  });

  it("names what is known at the headers of a stream", async () => {
    const { headers } = await send({ model: (await streaming()).slug, stream: true });
    expect(Object.keys(stagesIn(headers.get("server-timing")))).toEqual([
      "policy",
      "filters",
      "budget",
      "connect",
      "first_byte",
      "total",
    ]);
  });

  it("is part of errors", async () => {
    const { status, headers } = await send({ model: (await failing()).slug });
    expect(status).toBe(502);
    expect(Object.keys(stagesIn(headers.get("server-timing")))).toContain("record");
  });
});

/** Starts an export to a receiver until the test's end. */
async function exporting(answer?: Parameters<typeof otlpReceiver>[0]) {
  const receiver = await otlpReceiver(answer);
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  await startTelemetry(variables, NOW);
  onTestFinished(async () => {
    await stopTelemetry();
    receiver.close();
  });
  const flush = async () => {
    await stopTelemetry();
    expect(receiver.problems).toEqual([]);
    return receiver;
  };
  return { receiver, flush };
}

describe("an export by OTLP", () => {
  it("names the route of a session, which is outside of /v1", async () => {
    const { flush } = await exporting();
    await handle(getSession, session.get)(new Request("http://signalbox.test/session"), {});
    const { spans } = await flush();
    expect(spans).toMatchObject([{ name: "GET /session", attributes: { "http.route": "/session" } }]);
  });

  it("has a span for the request, each stage and each attempt, below the caller's", async () => {
    const [broken, working] = [await failing(), await answering()];
    const { flush } = await exporting();
    const { headers } = await send(
      { model: broken.slug, models: [working.slug] },
      { traceparent: TRACEPARENT, tracestate: "rojo=1" },
    );
    const { spans, points } = await flush();

    const request = spans.find(({ kind }) => kind === 2);
    expect(request).toMatchObject({
      name: "POST /v1/chat/completions",
      traceId: TRACE_ID,
      parentSpanId: CALLER_SPAN,
      traceState: "rojo=1",
      attributes: {
        "http.request.method": "POST",
        "http.route": "/v1/chat/completions",
        "http.response.status_code": 200,
        "url.path": "/v1/chat/completions",
        "url.scheme": "http",
        "signalbox.generation.id": headers.get("x-generation-id"),
        "signalbox.generation.status": "succeeded",
      },
      resource: { "service.name": "signalbox", "deployment.environment.name": "test" },
    });
    const children = spans.filter((span) => span !== request);
    for (const child of children) {
      expect(child).toMatchObject({ traceId: TRACE_ID, parentSpanId: request?.spanId });
      expect(child.start).toBeGreaterThanOrEqual(request?.start ?? 0n);
      expect(child.end).toBeGreaterThanOrEqual(child.start);
      expect(child.end).toBeLessThanOrEqual(request?.end ?? 0n);
    }
    expect(children.filter(({ kind }) => kind === 1).map(({ name }) => name)).toEqual([
      "policy",
      "filters",
      "budget",
      "record",
    ]);

    const calls = children.filter(({ kind }) => kind === 3);
    const server = { "server.address": "127.0.0.1" };
    expect(calls).toMatchObject([
      {
        name: `chat ${broken.slug}`,
        attributes: {
          "gen_ai.operation.name": "chat",
          "gen_ai.provider.name": broken.provider,
          "gen_ai.request.model": broken.slug,
          ...server,
          "server.port": broken.port,
          "http.response.status_code": 500,
          "error.type": "500",
        },
        status: { code: 2 },
      },
      {
        name: `chat ${working.slug}`,
        attributes: {
          "gen_ai.operation.name": "chat",
          "gen_ai.request.model": working.slug,
          ...server,
          "server.port": working.port,
          "gen_ai.response.id": "upstream-1",
          "gen_ai.response.finish_reasons": ["stop"],
          "gen_ai.usage.input_tokens": 5,
          "gen_ai.usage.output_tokens": 7,
          "gen_ai.usage.cache_read.input_tokens": 3,
        },
      },
    ]);
    expect(calls[1]?.attributes).not.toHaveProperty("error.type");
    // Each upstream receives its own span.
    for (const [index, { received }] of [broken, working].entries())
      expect(received[0]).toMatchObject({ traceparent: `00-${TRACE_ID}-${calls[index]?.spanId}-01` });

    const all = JSON.stringify({ spans, points }, (_, value: unknown) => (typeof value === "bigint" ? 0 : value));
    for (const text of [PROMPT, ANSWER, SECRET, key.text]) expect(all).not.toContain(text);
  });

  it("has a span for each judge, with its verdict", async () => {
    const { slug } = await answering();
    const judging = (answer: object) =>
      model((response) => {
        const message = { role: "assistant", content: JSON.stringify(answer) };
        const choices = [{ index: 0, finish_reason: "stop", message }];
        response.setHeader("content-type", "application/json").end(JSON.stringify({ ...whole, choices }));
      });
    const [calm, strict] = [await judging({ score: 0, reason: "fine" }), await judging({ score: 1, reason: "rude" })];
    const judge = { instructions: "Be kind", action: "flag" };
    const judges = [
      { ...judge, name: "calm", model: calm.slug },
      { ...judge, name: "strict", model: strict.slug, scope: "both" },
    ];
    const { db } = world.context;
    const { id } = await db.guardrail.create({
      data: { id: uuidv7(NOW), workspaceId: world.workspaceId, name: "Judged", judges },
    });
    const where = { id: world.workspaceId };
    await db.workspace.update({ where, data: { defaultGuardrailId: id } });
    const { flush } = await exporting();
    const { status } = await send({ model: slug });
    await db.workspace.update({ where, data: { defaultGuardrailId: null } });
    const { spans } = await flush();
    expect(status).toBe(200);
    const called = spans.filter(({ name }) => name.startsWith("judge "));
    const said = (direction: string, verdict: string) => ({
      "signalbox.check.direction": direction,
      "signalbox.check.verdict": verdict,
    });
    expect(called.map(({ name, attributes }) => [name, attributes])).toEqual(
      expect.arrayContaining([
        ["judge calm", expect.objectContaining(said("request", "allow"))],
        ["judge strict", expect.objectContaining(said("request", "flag"))],
        ["judge strict", expect.objectContaining(said("response", "flag"))],
      ]),
    );
    expect(called).toHaveLength(3);
  });

  it("has the metrics of the semantic conventions", async () => {
    const { slug, port, provider } = await streaming();
    const { flush } = await exporting();
    await send({ model: slug, stream: true });
    const { points } = await flush();
    const attributes = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider,
      "gen_ai.request.model": slug,
      "server.address": "127.0.0.1",
      "server.port": port,
    };
    expect(points).toMatchObject([
      { metric: "gen_ai.client.operation.duration", unit: "s", count: 1, attributes },
      { metric: "gen_ai.client.operation.time_to_first_chunk", unit: "s", count: 1, attributes },
      {
        metric: "gen_ai.client.token.usage",
        unit: "{token}",
        sum: 5,
        attributes: { ...attributes, "gen_ai.token.type": "input" },
      },
      {
        metric: "gen_ai.client.token.usage",
        unit: "{token}",
        sum: 7,
        attributes: { ...attributes, "gen_ai.token.type": "output" },
      },
    ]);
    expect(points[0]?.bounds).toEqual([
      0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
    ]);
  });

  it("sends nothing of a trace that its caller doesn't sample, and passes that on", async () => {
    const { slug, received } = await answering();
    const { flush } = await exporting();
    await send({ model: slug }, { traceparent: TRACEPARENT.replace(/01$/, "00") });
    const { spans, points } = await flush();
    expect(spans).toEqual([]);
    expect(points.length).toBeGreaterThan(0);
    expect(received[0]?.["traceparent"]).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-00$`));
  });

  it.each<[string, Parameters<typeof otlpReceiver>[0]]>([
    ["fails", (_, response) => response.writeHead(503).end()],
    ["never answers", () => undefined],
  ])("doesn't hold requests when its receiver %s", async (_, answer) => {
    const { slug } = await answering();
    vi.stubEnv("OTEL_BSP_SCHEDULE_DELAY", "1");
    const { receiver } = await exporting(answer);
    for (let request = 0; request < 20; request += 1) expect((await send({ model: slug })).status).toBe(200);
    await vi.waitFor(() => expect(receiver.requests()).toBeGreaterThan(0));
    await stopTelemetry();
  });
});

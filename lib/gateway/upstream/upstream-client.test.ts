import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { OutboundFailure } from "../../platform/outbound/failure";
import { endpointOf } from "../../testing/endpoints";
import type { Endpoint } from "../../engine/endpoint";
import { eachChunk, type ResponseBatches } from "../../engine/protocols/chunk-batches";
import { EndpointHealth } from "../../records/providers/endpoint-health";
import { firstResponse, NoResponse, type CallEndpoint } from "./upstream-client";
import { describeFailures } from "../../engine/protocols/upstream-failure";

const endpoint = (name: string): Endpoint =>
  endpointOf({ id: name, model: { slug: "m/m" }, provider: { slug: name, name: name.toUpperCase() } });

const completion = {
  id: "1",
  object: "chat.completion",
  created: 0,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
};
const good: CallEndpoint = async () => Response.json(completion);
const answers =
  (status: number, body = '{"error":{"message":"no"}}', headers = {}): CallEndpoint =>
  async () =>
    new Response(body, { status, headers });
const streams =
  (text: string): CallEndpoint =>
  async () =>
    new Response(text, { headers: { "content-type": "text/event-stream" } });
const fails =
  (error: Error): CallEndpoint =>
  () =>
    Promise.reject(error);
const hangs: CallEndpoint = async (_endpoint, signal) => {
  await new Promise<void>((resolve) => signal.addEventListener("abort", resolve));
  throw signal.reason;
};
const sent =
  (call: CallEndpoint): CallEndpoint =>
  (called, until, onSent) => {
    onSent();
    return call(called, until, onSent);
  };
const chunk = (content: string) =>
  `data: ${JSON.stringify({ ...completion, object: "chat.completion.chunk", choices: [{ index: 0, delta: { content } }] })}\n\n`;
const breaksOff = streams(`${chunk("one")}data: {"error":{"message":"out of memory"}}\n\n`);

/** Sends the parts of a body, 10 ms apart, until the attempt ends. */
const slowly =
  (type: string, parts: readonly string[]): CallEndpoint =>
  async (_endpoint, signal) => {
    const body = new ReadableStream<string>({
      async start(controller) {
        signal.addEventListener("abort", () => controller.error(signal.reason));
        for (const part of parts) {
          if (signal.aborted) return;
          controller.enqueue(part);
          await sleep(10);
        }
        if (parts.length > 0 && !signal.aborted) controller.close();
      },
    }).pipeThrough(new TextEncoderStream());
    return new Response(body, { headers: { "content-type": type } });
  };
/** Three times as many as fit into the time limit for the start of a response. */
const repeated = (sign: string): string[] => Array.from({ length: 15 }, () => sign);

let health = new EndpointHealth();
beforeEach(() => void (health = new EndpointHealth()));

/** Calls endpoints a, b, c … with the given behaviors. */
function search(behaviours: CallEndpoint[], signal = new AbortController().signal) {
  const endpoints = behaviours.map((_, index) => endpoint("abc".charAt(index)));
  const timeouts = { connect: 25, firstByte: 25, idle: 25, abandoned: 10 };
  return firstResponse(
    endpoints,
    (called, until, onSent) => (behaviours[endpoints.indexOf(called)] ?? good)(called, until, onSent),
    { disconnected: signal },
    timeouts,
    health,
  );
}

async function failed(behaviours: CallEndpoint[]) {
  const error: unknown = await search(behaviours).catch((reason: unknown) => reason);
  if (!(error instanceof NoResponse)) throw new Error("expected no answer");
  return {
    attempts: error.attempts.map(({ provider, status, error: why }) => [provider, status, why]),
    reported: describeFailures(error.failures),
  };
}

const attemptsOf = async (behaviours: CallEndpoint[]) =>
  (await search(behaviours)).attempts.map(({ provider, status, error }) => [provider, status, error]);

async function toEnd(chunks: ResponseBatches) {
  for await (const _ of chunks);
}

/** Opens the circuit of endpoint a. */
async function wearOut() {
  for (let round = 0; round < 5; round++) await search([answers(503), good]);
}

describe("firstResponse", () => {
  it.each<[string, CallEndpoint]>([
    ["a connection that fails", fails(new OutboundFailure(null, "The upstream refused the connection"))],
    ["a redirect", fails(new OutboundFailure(307, "The upstream redirects"))],
    ["silence", hangs],
    ["408", answers(408)],
    ["429", answers(429)],
    ["500", answers(500)],
    ["503", answers(503)],
    ["529", answers(529)],
    ["a stream that begins with an error", streams('data: {"error":{"message":"overloaded"}}\n\n')],
    ["an HTML page", answers(200, "<html>")],
    ["an empty stream", streams("")],
  ])("falls back to the next endpoint after %s", async (_name, bad) => {
    const { endpoint: called, attempts, failures } = await search([bad, good]);
    expect([called.provider.slug, attempts.length, failures.length]).toEqual(["b", 2, 1]);
  });

  it.each<[string, CallEndpoint]>([
    [
      "comments of a stream",
      slowly("text/event-stream", [...repeated(": working\n\n"), chunk("hi"), "data: [DONE]\n\n"]),
    ],
    ["white space of a body", slowly("application/json", [...repeated(" "), JSON.stringify(completion)])],
  ])("waits behind %s for longer than an upstream may take to begin", async (_name, slow) => {
    const other = vi.fn(good);
    const { chunks, attempts } = await search([slow, other]);
    const said: unknown[] = [];
    for await (const { choices } of eachChunk(chunks)) said.push(choices[0]?.delta.content);
    expect(said[0]).toBe("hi");
    expect(attempts).toMatchObject([{ status: 200, error: null }]);
    expect(other).not.toHaveBeenCalled();
  });

  it.each<[string, CallEndpoint]>([
    [
      "an error after the comments of a stream",
      slowly("text/event-stream", [...repeated(": working\n\n"), 'data: {"error":{"message":"overloaded"}}\n\n']),
    ],
    ["headers of a stream without a byte of its body", slowly("text/event-stream", [])],
    [
      "an error whose body doesn't end",
      async (called, signal, onSent) => {
        const { body } = await slowly("application/json", repeated(" "))(called, signal, onSent);
        return new Response(body, { status: 503 });
      },
    ],
  ])("falls back to the next endpoint after %s", async (_name, bad) => {
    const { endpoint: called } = await search([bad, good]);
    expect(called.provider.slug).toBe("b");
  });

  it.each([400, 401, 404, 413, 422])(
    "doesn't fall back after %i: other endpoints would reject the request too",
    async (status) => {
      expect((await failed([answers(status), good])).attempts).toEqual([["a", status, "no"]]);
    },
  );

  it("returns the first chunk", async () => {
    const { chunks } = await search([good]);
    const said: unknown[] = [];
    for await (const { choices } of eachChunk(chunks)) said.push(choices[0]?.delta.content);
    expect(said[0]).toBe("hi");
  });

  it("doesn't fall back after an answer has begun", async () => {
    const other = vi.fn(good);
    const { chunks } = await search([breaksOff, other]);
    await expect(toEnd(chunks)).rejects.toThrow("out of memory");
    expect(other).not.toHaveBeenCalled();
  });

  it("returns the last failure and records the previous ones", async () => {
    const { reported } = await failed([
      answers(503, '{"error":{"message":"busy"}}'),
      fails(new OutboundFailure(null, "cut")),
      answers(500, "oops"),
    ]);
    expect(reported).toEqual({
      message: "Provider returned error",
      status: 502,
      provider_name: "C",
      raw: "oops",
      previous_errors: [
        { code: 503, message: "busy", provider_name: "A", raw: '{"error":{"message":"busy"}}' },
        { code: 502, message: "cut", provider_name: "B", raw: null },
      ],
    });
  });

  it("stops when the client disconnects", async () => {
    const client = new AbortController();
    const other = vi.fn(good);
    const searching = search([hangs, other], client.signal);
    client.abort(new Error("left"));
    await expect(searching).rejects.toMatchObject({ isAbandoned: true });
    expect(other).not.toHaveBeenCalled();
  });

  it.each<[string, CallEndpoint, boolean]>([
    ["a connection that fails", fails(new OutboundFailure(null, "The upstream refused the connection")), false],
    ["a connection that takes too long", hangs, false],
    ["an error status", sent(answers(503)), false],
    ["a connection closed before an answer", sent(fails(new OutboundFailure(null, "closed"))), false],
    ["a stream that begins with an error", sent(streams('data: {"error":{"message":"overloaded"}}\n\n')), false],
    ["a timeout of a request that was sent", sent(hangs), true],
    ["an answer that can't be read", sent(answers(200, '{"choices":[')), true],
    ["a stream that ends before its first token", sent(streams("")), true],
  ])("after %s, the upstream may bill the request: %#", async (_name, bad, isBillable) => {
    const { failures } = await search([bad, good]);
    expect(failures.map(({ billableMs }) => billableMs !== undefined)).toEqual([isBillable]);
  });

  it("waits for an answer whose client disconnected after the request was sent", async () => {
    const client = new AbortController();
    const late: CallEndpoint = async (called, until, onSent) => {
      onSent();
      client.abort(new Error("left"));
      await new Promise((resolve) => setTimeout(resolve, 5));
      until.throwIfAborted();
      return good(called, until, onSent);
    };
    expect((await search([late], client.signal)).endpoint.provider.slug).toBe("a");
    const never = search([sent(hangs)], client.signal);
    await expect(never).rejects.toMatchObject({ isAbandoned: true, attempts: [], failures: [] });
  });

  it.each([
    ["at its deadline", sent, true],
    ["at once while nothing was sent", (hanging: CallEndpoint) => hanging, false],
  ])("ends an abandoned request %s", async (_name, how, isBillable) => {
    const client = new AbortController();
    const searching = search([how(hangs), good], client.signal);
    await new Promise((resolve) => setTimeout(resolve));
    client.abort(new Error("left"));
    const error: unknown = await searching.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ isAbandoned: true, attempts: [{ error: "The client disconnected" }] });
    expect(error instanceof NoResponse && error.failures[0]?.billableMs !== undefined).toBe(isBillable);
  });

  it("returns a timeout when no endpoint answers", async () => {
    const { attempts, reported } = await failed([hangs]);
    expect(attempts).toEqual([["a", null, "The upstream did not respond in time"]]);
    expect(reported).toMatchObject({ status: 524, message: "Request timed out. Please try again later." });
  });
});

describe("the circuit breaker", () => {
  it("skips an endpoint with an open circuit", async () => {
    await wearOut();
    const called = vi.fn(good);
    expect(await attemptsOf([called, good])).toEqual([
      ["a", null, "skipped: circuit open"],
      ["b", 200, null],
    ]);
    expect(called).not.toHaveBeenCalled();
  });

  it("tries it when no other endpoint answers, and closes when it succeeds", async () => {
    await wearOut();
    expect(await attemptsOf([good, answers(500)])).toEqual([
      ["a", null, "skipped: circuit open"],
      ["b", 500, "no"],
      ["a", 200, null],
    ]);
    expect(await attemptsOf([good, good])).toEqual([["a", 200, null]]);
  });

  it("tries the only endpoint even with an open circuit", async () => {
    await wearOut();
    expect((await failed([answers(500)])).attempts).toEqual([
      ["a", null, "skipped: circuit open"],
      ["a", 500, "no"],
    ]);
  });

  it("doesn't try it after a client error", async () => {
    await wearOut();
    expect((await failed([good, answers(400)])).attempts).toEqual([
      ["a", null, "skipped: circuit open"],
      ["b", 400, "no"],
    ]);
  });

  it("opens after failures during an answer", async () => {
    for (let round = 0; round < 5; round++)
      await toEnd((await search([breaksOff, good])).chunks).catch(() => undefined);
    expect(await attemptsOf([good, good])).toEqual([
      ["a", null, "skipped: circuit open"],
      ["b", 200, null],
    ]);
  });

  it("stays closed when clients disconnect", async () => {
    for (let round = 0; round < 10; round++) {
      const client = new AbortController();
      const searching = search([hangs], client.signal);
      client.abort(new Error("left"));
      await expect(searching).rejects.toMatchObject({ isAbandoned: true });
    }
    expect(await attemptsOf([good])).toEqual([["a", 200, null]]);
  });
});

describe("measured speeds", () => {
  it("of a stream include time to first token and throughput", async () => {
    const { chunks, measure } = await search([streams(`${chunk("one")}data: [DONE]\n\n`)]);
    await toEnd(chunks);
    measure(10);
    const { latency, throughput } = health.speeds.get("a") ?? {};
    expect([latency?.p50, throughput?.p50]).toEqual([expect.any(Number), expect.any(Number)]);
  });

  it("of an answer received at once exclude time to first token", async () => {
    const { measure } = await search([good]);
    measure(10);
    expect(health.speeds.get("a")).toMatchObject({ latency: null, throughput: { p50: expect.any(Number) } });
  });

  it("ignore an answer without tokens", async () => {
    (await search([good])).measure(null);
    expect(health.speeds.size).toBe(0);
  });
});

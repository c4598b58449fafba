import { once } from "node:events";
import { createServer, request as send, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import type { ApiRequest } from "../platform/http/api-request";
import { DirectResponse } from "../platform/http/direct-response";
import { EventStream } from "../platform/http/event-stream";
import { createDispatcher } from "./dispatch.mjs";
import type { Handlers } from "./routes.mjs";

const log = vi.fn();
const servers: Server[] = [];
afterEach(() => {
  log.mockClear();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serve(handlers: Handlers): Promise<number> {
  const { answer } = createDispatcher([{ segments: ["v1", "thing"], handlers: () => handlers }], log);
  const server = createServer((request, response) => void answer(request, response));
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const open = (port: number, options: object = {}) =>
  send({ port, host: "127.0.0.1", path: "/v1/thing?a=%20b", ...options });

async function answerOf(port: number, options: object = {}): Promise<IncomingMessage> {
  const [answer] = (await once(open(port, options).end(), "response")) as [IncomingMessage];
  return answer;
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) text += String(chunk);
  return text;
}

const streamed = (content: AsyncIterable<string | Uint8Array>) => new DirectResponse(content, { status: 200 });
const GET = (content: AsyncIterable<string | Uint8Array>): Handlers => ({
  GET: () => Promise.resolve(streamed(content)),
});

it("passes method, URL, headers and body, and answers with a text and its length", async () => {
  const seen: unknown[] = [];
  const port = await serve({
    POST: async ({ method, url, headers, body }: ApiRequest) => {
      let text = "";
      for await (const bytes of body ?? []) text += new TextDecoder().decode(bytes);
      seen.push(method, url, headers.get("X-Thing"), headers.get("absent"), headers.has("x-thing"), text);
      return new DirectResponse("größer", {
        status: 201,
        headers: [
          ["set-cookie", "a=1"],
          ["set-cookie", "b=2"],
        ],
      });
    },
  });
  const sent = open(port, { method: "POST", headers: { "x-thing": "1" } });
  sent.end("hé");
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  expect(seen).toEqual(["POST", "http://localhost/v1/thing?a=%20b", "1", null, true, "hé"]);
  expect([answer.statusCode, answer.headers["content-length"], answer.headers["set-cookie"]]).toEqual([
    201,
    "8",
    ["a=1", "b=2"],
  ]);
  expect(await textOf(answer)).toBe("größer");
});

it("answers HEAD with the head of a GET, and ends the parts of a stream", async () => {
  const end = vi.fn();
  const parts = {
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.resolve({ done: true as const, value: undefined }),
      return: () => (end(), Promise.resolve({ done: true as const, value: undefined })),
    }),
  };
  const whole = await serve({ GET: () => Promise.resolve(new DirectResponse("hello", { status: 200 })) });
  const head = await answerOf(whole, { method: "HEAD" });
  expect([head.headers["content-length"], await textOf(head)]).toEqual(["5", ""]);
  expect(await textOf(await answerOf(await serve(GET(parts)), { method: "HEAD" }))).toBe("");
  expect(end).toHaveBeenCalledOnce();
});

it.each([
  ["/chat/completions", "The operation is at /v1/chat/completions: set the base URL to /v1"],
  ["/openai/v1/responses", "The operation is at /v1/responses: set the base URL to /v1"],
  ["/v1/v1/messages?beta=true", "The operation is at /v1/messages: set the base URL to /v1"],
  ["/v1beta/models/m:generateContent", "Gemini's API isn't served"],
  ["/v1/models/m:streamGenerateContent?alt=sse", "Gemini's API isn't served"],
])("answers 404 with a hint for the path of a known API, %s", async (path, hint) => {
  const port = await serve({ GET: () => Promise.resolve(new DirectResponse("hello", { status: 200 })) });
  const answer = await answerOf(port, { path, method: "POST" });
  expect([answer.statusCode, await textOf(answer)]).toEqual([404, expect.stringContaining(hint)]);
});

it("answers 405 with the methods that exist, and 404 below /v1", async () => {
  const port = await serve({ GET: () => Promise.resolve(new DirectResponse("hello", { status: 200 })) });
  const refused = await answerOf(port, { method: "DELETE" });
  expect([refused.statusCode, refused.headers.allow]).toEqual([405, "GET"]);
  expect((await answerOf(port, { path: "/v1/unknown" })).statusCode).toBe(404);
  const scim = await answerOf(port, { path: "/v1/scim/v2/Bulk" });
  expect(scim.headers["content-type"]).toBe("application/scim+json");
  expect(JSON.parse(await textOf(scim))).toMatchObject({
    status: "404",
    detail: "Resource not found: /v1/scim/v2/Bulk",
  });
});

it("sends the head before the first part, and each part at once", async () => {
  const steps: (() => void)[] = [];
  const step = () => new Promise<void>((resolve) => steps.push(resolve));
  const port = await serve(
    GET(
      (async function* () {
        await step();
        yield "one";
        await step();
        yield new TextEncoder().encode("two");
      })(),
    ),
  );
  const answer = await answerOf(port);
  const parts: string[] = [];
  answer.setEncoding("utf8").on("data", (part: string) => parts.push(part));
  steps[0]?.();
  await expect.poll(() => parts).toEqual(["one"]);
  steps[1]?.();
  await once(answer, "end");
  expect(parts).toEqual(["one", "two"]);
});

it("sends keep-alives while a stream is silent, and none while parts come", async () => {
  let speak = (): void => undefined;
  const silence = new Promise<void>((resolve) => (speak = resolve));
  const events = (async function* () {
    await silence;
    for (const part of ["one;", "two;", "three;", "four;"]) {
      yield part;
      await setTimeout(20);
    }
  })();
  const { content } = new EventStream(events, () => undefined, { text: ":;", ms: 40 });
  const answer = await answerOf(await serve({ GET: () => Promise.resolve(streamed(content)) }));
  let text = "";
  answer.setEncoding("utf8").on("data", (part: string) => (text += part));
  await expect.poll(() => text).toMatch(/^(:;){3}/);
  speak();
  await once(answer, "end");
  expect(text).toMatch(/^(:;)+one;two;three;four;$/);
});

it("asks for parts only as fast as the client reads", async () => {
  let produced = 0;
  const port = await serve(
    GET(
      (async function* () {
        for (; produced < 1000; produced += 1) yield await Promise.resolve("a".repeat(65_536));
      })(),
    ),
  );
  const answer = await answerOf(port);
  await setTimeout(200);
  const early = produced;
  expect(early).toBeLessThan(500);
  expect((await textOf(answer)).length).toBe(1000 * 65_536);
});

it("a disconnect is reported and ends the stream, which is never abandoned after its end", async () => {
  const abandon = vi.fn();
  const ended = vi.fn();
  const left = vi.fn();
  const port = await serve({
    GET: (request) => {
      request.onLeave?.(left);
      const isShort = request.headers.get("x-short") !== null;
      const events = (async function* () {
        try {
          yield "first";
          if (!isShort) await new Promise<void>((resolve) => request.onLeave?.(resolve));
        } finally {
          ended();
        }
      })();
      return Promise.resolve(streamed(new EventStream(events, abandon).content as AsyncIterable<string>));
    },
  });
  expect(await textOf(await answerOf(port, { headers: { "x-short": "1" } }))).toBe("first");
  await setTimeout(50);
  expect([left, abandon, ended].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 1]);
  const answer = await answerOf(port);
  await once(answer, "data");
  answer.destroy();
  await expect.poll(() => ended.mock.calls.length).toBe(2);
  expect([left.mock.calls.length, abandon.mock.calls.length > 0]).toEqual([1, true]);
});

it("a stream that a disconnect aborts isn't a failure", async () => {
  const aborted = vi.fn();
  const port = await serve({
    GET: (request) =>
      Promise.resolve(
        streamed(
          (async function* () {
            yield "first";
            await new Promise<void>((resolve) => request.onLeave?.(resolve));
            aborted();
            throw new Error("aborted");
          })(),
        ),
      ),
  });
  const answer = await answerOf(port);
  await once(answer, "data");
  answer.destroy();
  await expect.poll(() => aborted.mock.calls.length).toBe(1);
  await setTimeout(20);
  expect(log).not.toHaveBeenCalled();
});

it("a stream that fails closes the connection, and a handler that throws is a 500; both are logged", async () => {
  const failing = await answerOf(
    await serve(
      GET(
        (async function* () {
          yield "one";
          await setTimeout(50);
          throw new Error("broken");
        })(),
      ),
    ),
  );
  await expect(textOf(failing)).rejects.toThrow("aborted");
  const facts = { requestId: undefined, route: "/v1/thing" };
  expect(log.mock.calls).toEqual([[new Error("broken"), "a response failed", facts]]);
  const port = await serve({ GET: () => Promise.reject(new Error("secret")) });
  const answer = await answerOf(port);
  expect(answer.statusCode).toBe(500);
  expect(await textOf(answer)).not.toContain("secret");
  expect(log).toHaveBeenLastCalledWith(new Error("secret"), "a response failed", facts);
});

it("a stream that was never read is ended all the same", async () => {
  const ended = vi.fn();
  const events = (async function* () {
    try {
      yield await Promise.resolve("one");
    } finally {
      ended();
    }
  })();
  await new EventStream(events, () => undefined).body.cancel();
  expect(ended).toHaveBeenCalledOnce();
});

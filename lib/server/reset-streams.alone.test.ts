import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { createChatCompletion as operation } from "../gateway/contract";
import { createChatCompletion } from "../gateway/service";
import { createKey } from "../testing/factories";
import { createModel, createProvider } from "../testing/providers";
import { testDatabase, testWorld, type World } from "../testing/test-context";
import { upstreamServer } from "../testing/upstream-server";
import { createDispatcher } from "./dispatch.mjs";
import { handle } from "./handle";
import { createListener } from "./listener.mjs";

let world: World;
let key: { id: string; text: string };

beforeAll(async () => {
  vi.stubEnv("SIGNALBOX_SECRET_KEY", Buffer.alloc(32, 7).toString("base64"));
  vi.stubEnv("SIGNALBOX_LOG_LEVEL", "error");
  vi.stubEnv("SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS", "true");
  const database = await testDatabase();
  Object.assign(globalThis, { __signalbox: Promise.resolve({ db: database.client, database }) });
  world = await testWorld();
  key = await createKey(world);
});

/** The server of inference requests; returns its port. */
async function serve(): Promise<number> {
  const handlers = { POST: handle(operation, createChatCompletion) };
  const { answer } = createDispatcher([{ segments: ["v1", "chat", "completions"], handlers: () => handlers }]);
  const options = { hosts: null, trustsProxy: false, maxConnections: 10, requestTimeoutMs: 60_000 };
  const server = createListener(options, (request, response) => void answer(request, response));
  onTestFinished(() => server.close().closeAllConnections());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const event = (content: string) =>
  `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices: [{ index: 0, delta: { content } }] })}\n\n`;

/** Creates a model whose streams don't end. Returns its name and the open streams. */
async function endlessModel(slug: string, content: string) {
  const open = new Set<ServerResponse>();
  let begun = 0;
  const { url } = await upstreamServer((request, response) => {
    request.resume().on("end", () => {
      begun += 1;
      open.add(response);
      response.on("close", () => open.delete(response));
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(event(content));
    });
  });
  await createModel(world, { slug, providerId: await createProvider(world, { slug, baseUrl: url }) });
  return { open, begun: () => begun };
}

/** A connection that sends requests for streams and reads nothing. */
async function unreadRequests(port: number, model: string, count: number) {
  const body = JSON.stringify({ model, stream: true, messages: [{ role: "user", content: "What is the answer?" }] });
  const head = [
    "POST /v1/chat/completions HTTP/1.1",
    "host: localhost",
    "content-type: application/json",
    `authorization: Bearer ${key.text}`,
    `content-length: ${body.length}`,
  ];
  const socket = connect({ port, host: "127.0.0.1" }).on("error", () => undefined);
  await once(socket, "connect");
  socket.pause().write(`${head.join("\r\n")}\r\n\r\n${body}`.repeat(count));
  return socket;
}

it.each([
  ["short", 1, "The answer is forty-two"],
  ["longer than what the connection holds", 1, "word ".repeat(1_500_000)],
  ["of which two wait behind the first one", 3, "The answer is forty-two"],
])("streams (%s) of a client that resets its connection with unread data are charged", async (name, count, content) => {
  const model = `reset-${name.length}`;
  const { open, begun } = await endlessModel(model, content);
  const socket = await unreadRequests(await serve(), model, count);
  await expect.poll(begun).toBe(count);
  if (count === 1) await expect.poll(() => socket.bytesRead + socket.readableLength).toBeGreaterThan(0);
  socket.resetAndDestroy();
  const { db } = world.context;
  const recorded = () => db.generation.findMany({ where: { requestedModel: model } });
  await expect.poll(async () => (await recorded()).length).toBe(count);
  for (const { status, usageEstimated, costMicroUsd } of await recorded()) {
    expect({ status, usageEstimated }).toEqual({ status: "cancelled", usageEstimated: true });
    expect(costMicroUsd).toBeGreaterThan(0n);
  }
  await expect.poll(() => open.size).toBe(0);
});

import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { endpointOf } from "../../testing/endpoints";
import { bytesInUse } from "../../testing/heap";
import { TEST_SETTINGS } from "../../testing/context";
import { NOW } from "../../testing/test-context";
import type { Connections } from "../../gateway/endpoints-store";
import { streamOf } from "../../platform/http/direct-response";
import { EventStream } from "../../platform/http/event-stream";
import { upstreamServer } from "../../testing/upstream-server";
import { GenerationTrace } from "../../gateway/record/generation-trace-service";
import { NO_TRACE } from "../../platform/telemetry/trace-context";
import { callUpstream } from "../../gateway/upstream/endpoint-client";
import { chatStreamEncoder } from "./chat/stream-encoder";
import { EndpointHealth } from "../../records/providers/endpoint-health";
import { relay, type End } from "./observe";
import { firstResponse } from "../../gateway/upstream/upstream-client";

const part = (content: string, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 0, model: "m", choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`;

/** Relays a streamed answer from an upstream to a client, without the database. */
async function stream(url: string, idle = 20_000) {
  const endpoint = endpointOf({ provider: { id: "p" } });
  const timeouts = { connect: 20_000, firstByte: 20_000, idle, abandoned: 0 };
  const disconnected = new AbortController();
  const credentials = () => ({ apiKey: null, named: {}, headers: {} });
  const connections: Connections = new Map([["p", { baseUrl: url, kind: "openai", settings: {}, credentials }]]);
  const settings = { ...TEST_SETTINGS, upstreamTimeouts: timeouts };
  const ask = callUpstream(connections, settings, NOW, new GenerationTrace(NO_TRACE, 0));
  const body = { model: "m", stream: true, messages: [] };
  const answer = await firstResponse(
    [endpoint],
    (request, until, onSent) => ask(request, { path: "/chat/completions", isStream: true, body }, until, onSent),
    { disconnected: disconnected.signal },
    timeouts,
    new EndpointHealth(),
  );
  const ends: End["status"][] = [];
  const report = async (end: End) => {
    ends.push(end.status);
    return { costUsd: 0, completedAt: 0 };
  };
  const encoder = chatStreamEncoder(
    { id: "gen-1", created: 0, model: "m", isByok: false },
    { includesUsage: false, echo: null },
  );
  const { content } = new EventStream(relay(answer.chunks, encoder, disconnected.signal, report), () =>
    disconnected.abort(),
  );
  return { reader: streamOf(content).getReader(), ends };
}

const text = ({ value }: ReadableStreamReadResult<Uint8Array>) => new TextDecoder().decode(value);

it("relays 500 chunks one by one without delay", async () => {
  let upstream: ServerResponse | undefined;
  const { url } = await upstreamServer((_, response) => {
    upstream = response.writeHead(200, { "content-type": "text/event-stream" });
    upstream.write(part("0"));
  });
  const { reader, ends } = await stream(url);
  for (let chunk = 0; chunk < 500; chunk++) {
    expect(text(await reader.read())).toContain(`"content":"${chunk}"`);
    // The upstream sends the next chunk only after this one was read.
    upstream?.write(part(String(chunk + 1)));
  }
  upstream?.end(`${part("", "stop")}data: [DONE]\n\n`);
  let rest = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) rest += text(read);
  expect(rest).toContain("data: [DONE]");
  expect(ends).toEqual(["succeeded"]);
});

it("closes the upstream connection when the client disconnects", async () => {
  const { url, open } = await upstreamServer(
    (_, response) => void response.writeHead(200, { "content-type": "text/event-stream" }).write(part("0")),
  );
  const { reader, ends } = await stream(url);
  expect(text(await reader.read())).toContain('"content":"0"');
  await reader.cancel();
  await expect.poll(() => open.size).toBe(0);
  expect(ends).toEqual(["cancelled"]);
});

it("fails an answer when the upstream stops sending", async () => {
  const { url, open } = await upstreamServer(
    (_, response) => void response.writeHead(200, { "content-type": "text/event-stream" }).write(part("0")),
  );
  const { reader, ends } = await stream(url, 50);
  expect(text(await reader.read())).toContain('"content":"0"');
  expect(text(await reader.read())).toContain('"error":{"code":524');
  expect((await reader.read()).done).toBe(true);
  expect(ends).toEqual(["failed"]);
  await expect.poll(() => open.size).toBe(0);
});

it("reuses connections", async () => {
  const { url, open } = await upstreamServer(
    (_, response) =>
      void response.writeHead(200, { "content-type": "text/event-stream" }).end(`${part("0", "stop")}data: [DONE]\n\n`),
  );
  for (let request = 0; request < 10; request++) {
    const { reader } = await stream(url);
    while (!(await reader.read()).done);
  }
  expect(open.size).toBeLessThan(10);
});

it("uses constant memory for 200 streams", async () => {
  const upstreams: ServerResponse[] = [];
  const { url } = await upstreamServer((_, response) => {
    upstreams.push(response.writeHead(200, { "content-type": "text/event-stream" }));
    response.write(part("x"));
  });
  const streams = await Promise.all(Array.from({ length: 200 }, () => stream(url)));
  const padded = part("x").replace('"m"', `"m","padding":"${"p".repeat(2000)}"`);
  const round = async () => {
    await Promise.all(streams.map(({ reader }) => reader.read()));
    for (const upstream of upstreams) upstream.write(padded);
  };
  for (let warmUp = 0; warmUp < 20; warmUp++) await round();
  const before = bytesInUse();
  for (let chunk = 0; chunk < 100; chunk++) await round();
  const perStream = (bytesInUse() - before) / streams.length;
  // Each stream carried 200 kB; what other tests of the process leave behind counts, too.
  expect(perStream).toBeLessThan(50_000);
  for (const { reader } of streams) await reader.cancel();
});

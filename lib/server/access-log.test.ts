import { EventEmitter, once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import type { ApiRequest } from "../platform/http/api-request";
import { logAccess } from "./access-log.mjs";
import { createDispatcher } from "./dispatch.mjs";

/** Starts a server with an access log. Returns its lines, and an emitter of `called` for requests of the slow route. */
async function logged() {
  const lines: Record<string, unknown>[] = [];
  const slow = new EventEmitter();
  const dispatcher = createDispatcher([
    {
      segments: ["v1", "things", "[id]"],
      handlers: () => ({
        GET: (request: ApiRequest) => {
          request.note?.({ keyId: "key-1", traceId: "trace-1" });
          const headers = { "x-request-id": "req-1", "x-generation-id": "gen-1" };
          return Promise.resolve(new Response("hello", { headers }));
        },
      }),
    },
    {
      segments: ["v1", "slow"],
      handlers: () => ({
        GET: () => {
          slow.emit("called");
          return new Promise(() => undefined);
        },
      }),
    },
  ]);
  const server = createServer((request, response) => {
    if (!dispatcher.answer(request, response)) response.end("page");
  });
  logAccess(server, { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close().closeAllConnections();
  });
  return { lines, slow, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it("writes one line for each request, without what only the caller may know", async () => {
  const { lines, url } = await logged();
  await (await fetch(`${url}/v1/things/secret-path?key=secret-query`)).text();
  await (await fetch(`${url}/page`)).text();
  await (await fetch(`${url}/v1/missing`)).text();
  await vi.waitFor(() => expect(lines).toHaveLength(3));
  expect(lines[0]).toMatchObject({
    msg: "request",
    method: "GET",
    route: "/v1/things/{id}",
    status: 200,
    request_id: "req-1",
    generation_id: "gen-1",
    key_id: "key-1",
    trace_id: "trace-1",
    disconnected: false,
  });
  expect(lines[0]?.["ms"]).toBeGreaterThanOrEqual(0);
  expect(lines[0]?.["bytes"]).toBeGreaterThan("hello".length);
  expect(lines.slice(1)).toMatchObject([{ status: 200 }, { status: 404 }]);
  for (const line of lines.slice(1)) expect(line).not.toHaveProperty("route");
  expect(JSON.stringify(lines)).not.toContain("secret");
});

it("says when a client disconnected", async () => {
  const { lines, slow, url } = await logged();
  const request = httpRequest(`${url}/v1/slow`).on("error", () => undefined);
  request.end();
  await once(slow, "called");
  request.destroy();
  await vi.waitFor(() => expect(lines).toMatchObject([{ route: "/v1/slow", status: null, disconnected: true }]));
});

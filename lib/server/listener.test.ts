import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createDispatcher } from "./dispatch.mjs";
import { createListener, type ListenerOptions } from "./listener.mjs";

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** Reads at most 1,000 bytes of a body, and refuses a longer one. */
async function readSome(request: Request): Promise<Response> {
  let size = 0;
  if (request.body)
    for await (const chunk of request.body) {
      size += chunk.length;
      if (size > 1000) return new Response("too large", { status: 413 });
    }
  return new Response(String(size));
}

/** Ends the slow requests. */
let endSlow: () => void = () => undefined;
const slowEnd = new Promise<void>((resolve) => (endSlow = resolve));
const slow = () => slowEnd.then(() => new Response("slow"));

const dispatcher = createDispatcher([
  { segments: ["v1", "echo"], handlers: () => ({ GET: () => Promise.resolve(new Response("hello")), POST: readSome }) },
  { segments: ["v1", "slow"], handlers: () => ({ GET: slow }) },
  { segments: ["healthz"], handlers: () => ({ GET: () => Promise.resolve(new Response("ok")) }) },
]);

async function listen(options: Partial<ListenerOptions> = {}): Promise<number> {
  const server = createListener(
    { hosts: ["localhost"], trustsProxy: false, maxConnections: 100, requestTimeoutMs: 60_000, ...options },
    (request, response) => {
      if (!dispatcher.answer(request, response)) response.end("page");
    },
  );
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

interface Exchange {
  socket: Socket;
  received: () => string;
  closed: Promise<unknown>;
}

function open(port: number): Exchange {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  socket.on("error", () => undefined);
  return { socket, received: () => text, closed: new Promise((resolve) => socket.once("close", resolve)) };
}

/** Sends raw text and returns everything that comes back until the response is complete or the server closes. */
async function exchange(port: number, text: string): Promise<string> {
  const { socket, received, closed } = open(port);
  socket.write(text);
  const completed = new Promise<void>((resolve) => {
    socket.on("data", () => {
      const [, length] = /content-length: (\d+)/i.exec(received()) ?? [];
      const isComplete =
        length !== undefined && received().length >= received().indexOf("\r\n\r\n") + 4 + Number(length);
      if (isComplete) resolve();
    });
  });
  await Promise.race([completed, closed]);
  return received();
}

const statuses = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
const HOST = "Host: localhost\r\n";

describe("a request that isn't dispatched", () => {
  it.each<[string, string, number]>([
    ["asterisk form", `GET * HTTP/1.1\r\n${HOST}\r\n`, 400],
    ["absolute form", `GET http://localhost/v1/echo HTTP/1.1\r\n${HOST}\r\n`, 400],
    ["dot segment", `GET /./v1/echo HTTP/1.1\r\n${HOST}\r\n`, 400],
    ["encoded letters", `GET /%76%31/echo HTTP/1.1\r\n${HOST}\r\n`, 400],
    ["empty segment", `GET //v1/echo HTTP/1.1\r\n${HOST}\r\n`, 400],
    ["TRACE", `TRACE /v1/echo HTTP/1.1\r\n${HOST}\r\n`, 405],
    ["CONNECT", `CONNECT example.com:443 HTTP/1.1\r\n${HOST}\r\n`, 405],
    ["two Hosts", `GET /v1/echo HTTP/1.1\r\n${HOST}Host: localhost\r\n\r\n`, 400],
    ["two different Hosts", `GET /v1/echo HTTP/1.1\r\n${HOST}Host: evil.example\r\n\r\n`, 400],
    ["no Host", "GET /v1/echo HTTP/1.1\r\n\r\n", 400],
    ["invalid Host", "GET /v1/echo HTTP/1.1\r\nHost: a/b@c\r\n\r\n", 400],
    ["another host", "GET /v1/echo HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421],
    [
      "Content-Length and Transfer-Encoding",
      `POST /v1/echo HTTP/1.1\r\n${HOST}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/echo HTTP/1.1\r\n${HOST}\r\n`,
      400,
    ],
    ["two Content-Lengths", `POST /v1/echo HTTP/1.1\r\n${HOST}Content-Length: 0\r\nContent-Length: 3\r\n\r\nabc`, 400],
    [
      "chunked that isn't last",
      `POST /v1/echo HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ["space before the colon", `POST /v1/echo HTTP/1.1\r\n${HOST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`, 400],
    ["a bare line feed", `GET /v1/echo HTTP/1.1\n${HOST}\n`, 400],
    ["a folded header", `GET /v1/echo HTTP/1.1\r\n${HOST}X-A: b\r\n c\r\n\r\n`, 400],
    ["large headers", `GET /v1/echo HTTP/1.1\r\n${HOST}X-A: ${"a".repeat(20_000)}\r\n\r\n`, 431],
    ["no HTTP", "hello\r\n\r\n", 400],
  ])("%s", async (_, text, status) => {
    const answer = await exchange(await listen(), text);
    expect(statuses(answer)).toEqual([status]);
    expect(answer).toContain("x-content-type-options: nosniff");
    expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4))).toMatchObject({ error: { code: status } });
  });

  it("doesn't keep a probe from answering under any host", async () => {
    const port = await listen();
    expect(statuses(await exchange(port, "GET /healthz HTTP/1.1\r\nHost: 10.0.0.7:3000\r\n\r\n"))).toEqual([200]);
    expect(statuses(await exchange(port, "GET /healthz HTTP/1.0\r\n\r\n"))).toEqual([200]);
  });

  it("is judged by the forwarded host behind a trusted proxy", async () => {
    const port = await listen({ trustsProxy: true, hosts: ["signalbox.example"] });
    const forwarded = (host: string) =>
      exchange(port, `GET /v1/echo HTTP/1.1\r\nHost: backend\r\nX-Forwarded-Host: ${host}\r\n\r\n`);
    expect(statuses(await forwarded("signalbox.example"))).toEqual([200]);
    expect(statuses(await forwarded("evil.example"))).toEqual([421]);
  });
});

it("sends nosniff on every response", async () => {
  const port = await listen();
  for (const path of ["/v1/echo", "/v1/unknown", "/page"])
    expect(await exchange(port, `GET ${path} HTTP/1.1\r\n${HOST}\r\n`)).toContain("x-content-type-options: nosniff");
});

describe("a slow client", () => {
  it.each<[string, string, string]>([
    ["that sends nothing", "", ""],
    ["that drips headers", `GET /v1/echo HTTP/1.1\r\n${HOST}X-A: `, "a"],
  ])("%s is disconnected", async (_, start, drip) => {
    const { socket, received, closed } = open(await listen({ headersTimeoutMs: 300 }));
    socket.write(start);
    const dripping = setInterval(() => socket.write(drip), 100);
    try {
      await closed;
      expect(statuses(received())).toEqual([408]);
    } finally {
      clearInterval(dripping);
    }
  });

  it("that drips a body is disconnected with a 408", async () => {
    const { socket, received, closed } = open(await listen({ requestTimeoutMs: 400 }));
    socket.write(`POST /v1/echo HTTP/1.1\r\n${HOST}Content-Length: 1000\r\n\r\n`);
    const dripping = setInterval(() => socket.write("a"), 50);
    try {
      await closed;
      expect(statuses(received())).toEqual([408]);
    } finally {
      clearInterval(dripping);
    }
  });
});

describe("a body that is refused while it arrives", () => {
  it("gets its response, and the connection can be used again", async () => {
    const { socket, received } = open(await listen());
    socket.write(`POST /v1/echo HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`);
    for (let sent = 0; sent < 100; sent += 1) socket.write(`3e8\r\n${"a".repeat(1000)}\r\n`);
    await expect.poll(() => statuses(received())).toEqual([413]);
    socket.write(`0\r\n\r\nGET /v1/echo HTTP/1.1\r\n${HOST}\r\n`);
    await expect.poll(() => statuses(received())).toEqual([413, 200]);
  });

  it("may not continue forever", async () => {
    const { socket, received, closed } = open(await listen());
    socket.write(`POST /v1/echo HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`);
    const sending = setInterval(() => socket.write(`3e8\r\n${"a".repeat(1000)}\r\n`), 20);
    try {
      await expect.poll(() => statuses(received())).toEqual([413]);
      await closed;
    } finally {
      clearInterval(sending);
    }
  });

  it("is received completely when it is within the limit", async () => {
    const body = "a".repeat(900);
    const answer = await exchange(
      await listen(),
      `POST /v1/echo HTTP/1.1\r\n${HOST}Content-Length: 900\r\n\r\n${body}`,
    );
    expect(answer).toMatch(/\r\n\r\n900$/);
  });
});

describe("connections of one client", () => {
  it("are refused beyond the limit and admitted again", async () => {
    const port = await listen({ maxConnections: 3 });
    const first = Array.from({ length: 3 }, () => open(port));
    await Promise.all(first.map(({ socket }) => once(socket, "connect")));
    expect(await exchange(port, `GET /v1/echo HTTP/1.1\r\n${HOST}\r\n`)).toBe("");
    first[0]?.socket.destroy();
    await expect
      .poll(async () => statuses(await exchange(port, `GET /v1/echo HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)))
      .toEqual([200]);
  });

  it("are counted as requests by forwarded address behind a trusted proxy", async () => {
    const port = await listen({ trustsProxy: true, maxConnections: 2 });
    const from = (address: string) =>
      exchange(port, `GET /v1/slow HTTP/1.1\r\n${HOST}X-Forwarded-For: ${address}\r\n\r\n`);
    const first = Array.from({ length: 4 }, () => from("192.0.2.1"));
    const other = from("192.0.2.2");
    // Two are refused at once, the others last.
    const isRefused = (answer: string) => answer.includes("HTTP/1.1 429");
    let refused = 0;
    for (const answer of first) void answer.then((text) => (refused += Number(isRefused(text))));
    await expect.poll(() => refused).toBe(2);
    endSlow();
    const answers = await Promise.all(first);
    expect(answers.flatMap(statuses).sort()).toEqual([200, 200, 429, 429]);
    expect(answers.find(isRefused)).toContain("retry-after: 1");
    expect([await other, await from("192.0.2.1")].flatMap(statuses)).toEqual([200, 200]);
  });
});

describe("strict transport security", () => {
  const sent = async (options: Partial<ListenerOptions>, headers: Record<string, string> = {}) =>
    (await fetch(`http://localhost:${await listen(options)}/v1/echo`, { headers })).headers.get(
      "strict-transport-security",
    );

  it("is sent over https only: as configured, or as a trusted proxy reports", async () => {
    const https = { "x-forwarded-proto": "https" };
    expect(await sent({})).toBeNull();
    expect(await sent({}, https)).toBeNull();
    expect(await sent({ trustsProxy: true }, https)).toBe("max-age=31536000");
    expect(await sent({ trustsProxy: true }, { "x-forwarded-proto": "https, http" })).toBeNull();
    expect(await sent({ publicUrl: "https://signalbox.example" })).toBe("max-age=31536000");
    expect(await sent({ publicUrl: "http://signalbox.example" })).toBeNull();
  });
});

import dns from "node:dns";
import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { upstreamServer } from "../../testing/upstream-server";
import { readStart } from "./bounded-body";
import { OutboundFailure } from "./failure";
import { outboundFetch, type OutboundRequest } from "./fetch";

const GENEROUS = { connect: 20_000, firstByte: 20_000, idle: 20_000 };
const KEY = "sk-very-secret";

const ask = (url: string, more: Partial<OutboundRequest> = {}) =>
  outboundFetch({
    peer: "upstream",
    method: "POST",
    url,
    headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
    body: "{}",
    allowPrivate: true,
    timeouts: GENEROUS,
    signal: new AbortController().signal,
    ...more,
  });

async function failure(answer: Promise<unknown>): Promise<OutboundFailure> {
  const error: unknown = await answer.then(
    () => "no failure",
    (reason: unknown) => reason,
  );
  if (!(error instanceof OutboundFailure)) throw new Error(`expected an OutboundFailure, got ${String(error)}`);
  expect([error.message, error.stack, JSON.stringify(error)].join()).not.toContain(KEY);
  return error;
}

/** Returns the failure caused by a server with the given behavior. */
async function failureOf(listener: RequestListener, more: Partial<OutboundRequest> = {}): Promise<OutboundFailure> {
  const { url } = await upstreamServer(listener);
  return failure(ask(url, more).then((response) => response.text()));
}

/** Makes every host resolve to the given addresses. */
function resolveTo(...rounds: string[][]) {
  let round = 0;
  vi.spyOn(dns, "lookup").mockImplementation(((
    _name: string,
    _options: object,
    callback: (error: null, addresses: dns.LookupAddress[]) => void,
  ) => {
    const addresses = rounds[Math.min(round++, rounds.length - 1)] ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  }) as never);
}
afterEach(() => void vi.restoreAllMocks());

describe("outboundFetch", () => {
  it("sends the given headers and those of the connection, nothing else", async () => {
    const { url } = await upstreamServer((request, response) => void response.end(JSON.stringify(request.headers)));
    const { host: _, ...sent } = (await (await ask(url)).json()) as Record<string, string>;
    expect(sent).toEqual({
      authorization: `Bearer ${KEY}`,
      "content-type": "application/json",
      "content-length": "2",
      "accept-encoding": "identity",
      connection: "keep-alive",
    });
  });

  it("returns an upstream's error response", async () => {
    const { url } = await upstreamServer(
      (_, response) => void response.writeHead(429, { "retry-after": "7" }).end("slow down"),
    );
    const response = await ask(url);
    expect([response.status, response.headers.get("retry-after"), await response.text()]).toEqual([
      429,
      "7",
      "slow down",
    ]);
  });

  it.each<[string, RequestListener, Partial<OutboundRequest["timeouts"]>, Partial<OutboundFailure>]>([
    [
      "an upstream that never answers",
      () => undefined,
      { firstByte: 50 },
      { message: "The upstream did not respond in time", isTimeout: true },
    ],
    [
      "one that stops sending",
      (_, response) => void response.writeHead(200).write("begun"),
      { idle: 50 },
      { message: "The upstream stopped in the middle of its response", isTimeout: true },
    ],
    [
      "one that closes the connection immediately",
      (request) => request.socket.destroy(),
      {},
      { message: "The upstream closed the connection", isTimeout: false },
    ],
    [
      "one that closes it in the middle",
      (request, response) => void response.write("begun", () => request.socket.destroy()),
      {},
      { message: "The upstream closed the connection" },
    ],
    [
      "an answer shorter than its Content-Length",
      (_, response) =>
        void response.writeHead(200, { "content-length": 10 }).write("short", () => response.socket?.end()),
      {},
      { message: "The upstream closed the connection" },
    ],
    [
      "one that redirects",
      (_, response) => void response.writeHead(307, { location: "http://169.254.169.254/" }).end(),
      {},
      { status: 307, message: "The upstream redirects (307); redirects aren't followed" },
    ],
    ["an answer without content", (_, response) => void response.writeHead(204).end(), {}, { status: 204 }],
    [
      "a compressed answer",
      (_, response) =>
        void response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(1_000_000))),
      {},
      { status: 200, message: "The upstream compressed its answer (gzip) despite Accept-Encoding: identity" },
    ],
    [
      "endless headers",
      ({ socket }) => {
        socket.write("HTTP/1.1 200 OK\r\n");
        for (let line = 0; line < 1000; line++) socket.write(`x-${line}: ${"y".repeat(100)}\r\n`);
      },
      {},
      { message: "The upstream's response headers are too large" },
    ],
    [
      "a non-HTTP answer",
      ({ socket }) => void socket.write("220 mail.example ESMTP\r\n"),
      {},
      { status: null, isTimeout: false },
    ],
    [
      "an endless answer",
      (_, response) => {
        const write = (): void => void response.write(Buffer.alloc(1024 * 1024), (error) => error ?? write());
        write();
      },
      {},
      { message: "The upstream's answer is longer than 33554432 bytes" },
    ],
  ])("fails on %s", async (_name, listener, timeouts, expected) => {
    expect(await failureOf(listener, { timeouts: { ...GENEROUS, ...timeouts } })).toMatchObject(expected);
  });

  it("reads an event stream without a size limit", async () => {
    const { url } = await upstreamServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      const write = (): void => void response.write(Buffer.alloc(1024 * 1024), (error) => error ?? write());
      write();
    });
    let bytes = 0;
    for await (const chunk of (await ask(url)).body ?? []) if ((bytes += chunk.length) > 40 * 1024 * 1024) break;
    expect(bytes).toBeGreaterThan(40 * 1024 * 1024);
  });

  it("fails when nothing listens", async () => {
    const { url, open } = await upstreamServer(() => undefined);
    const gone = new URL(url);
    gone.port = "1";
    expect(await failure(ask(gone.href))).toMatchObject({
      status: null,
      message: "The upstream refused the connection",
      isTimeout: false,
    });
    expect(open.size).toBe(0);
  });

  it("fails when connecting times out", async () => {
    vi.spyOn(dns, "lookup").mockImplementation(() => undefined);
    expect(await failure(ask("http://slow.example/", { timeouts: { ...GENEROUS, connect: 50 } }))).toMatchObject({
      message: "Connecting to the upstream timed out",
      isTimeout: true,
    });
  });

  it("closes the connection when the client disconnects before the answer", async () => {
    const client = new AbortController();
    const { url, open } = await upstreamServer(() => client.abort(new Error("left")));
    await expect(ask(url, { signal: client.signal })).rejects.toThrow("left");
    await expect.poll(() => open.size).toBe(0);
  });

  it("closes the connection when the client disconnects during the answer", async () => {
    const client = new AbortController();
    const { url, open } = await upstreamServer((_, response) => void response.write("begun"));
    const response = await ask(url, { signal: client.signal });
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("begun");
    client.abort(new Error("left"));
    await expect(reader?.read()).rejects.toThrow("left");
    await expect.poll(() => open.size).toBe(0);
  });

  it("closes the connection when the answer is cancelled", async () => {
    const { url, open } = await upstreamServer((_, response) => void response.write("begun"));
    await (await ask(url)).body?.cancel();
    await expect.poll(() => open.size).toBe(0);
  });

  it("doesn't read ahead of its reader", async () => {
    let written = 0;
    const { url } = await upstreamServer((_, response) => {
      const write = (): void => {
        written += 65_536;
        if (response.write(Buffer.alloc(65_536))) setImmediate(write);
      };
      response.on("drain", write);
      write();
    });
    const reader = (await ask(url, { timeouts: { ...GENEROUS, idle: 50 } })).body?.getReader();
    await reader?.read();
    let seen = -1;
    const grown = () => {
      const before = seen;
      seen = written;
      return written - before;
    };
    await expect.poll(grown, { interval: 200 }).toBe(0);
    expect(written).toBeLessThan(16 * 1024 * 1024);
    expect((await reader?.read())?.done).toBe(false); // A slow reader isn't an idle upstream.
    await reader?.cancel();
  });
});

describe("addresses", () => {
  it("connects to the checked address, not to a later resolution", async () => {
    const { url, open } = await upstreamServer((_, response) => void response.end("checked"));
    resolveTo(["127.0.0.1"], ["169.254.169.254"]);
    const { port } = new URL(url);
    expect(await (await ask(`http://rebinding.example:${port}/`)).text()).toBe("checked");
    expect(dns.lookup).toHaveBeenCalledTimes(1);
    for (const socket of open) socket.destroy();
    await expect.poll(() => open.size).toBe(0);
    expect((await failure(ask(`http://rebinding.example:${port}/`))).message).toContain("is not allowed");
  });

  it.each([
    [["127.0.0.1"]],
    [["8.8.8.8", "10.0.0.1"]],
    [["::1"]],
    [["::ffff:192.168.0.1"]],
    [["64:ff9b::7f00:1"]],
    [["169.254.169.254"]],
  ])("rejects a host that resolves to %j", async (addresses) => {
    resolveTo(addresses);
    expect((await failure(ask("https://inner.example/", { allowPrivate: false }))).message).toBe(
      "The URL's host resolves to an address that is not allowed",
    );
  });

  it("rejects a host of the metadata service even with private upstreams", async () => {
    resolveTo(["169.254.169.254"]);
    expect((await failure(ask("http://innocent.example/"))).message).toBe(
      "The URL's host resolves to an address that is not allowed",
    );
  });

  it("connects to a host that resolves to loopback with private upstreams", async () => {
    const { url } = await upstreamServer((_, response) => void response.end("here"));
    resolveTo(["127.0.0.1"]);
    const response = await ask(`http://inner.example:${new URL(url).port}/`);
    expect(await response.text()).toBe("here");
  });

  it.each(["http://127.0.0.1/", "https://0x7f.1/", "https://[::ffff:127.0.0.1]/", "https://169.254.169.254/"])(
    "never connects to %s",
    async (url) => {
      resolveTo(["8.8.8.8"]);
      expect((await failure(ask(url, { allowPrivate: false }))).message).toMatch(/^The URL must /);
      expect(dns.lookup).not.toHaveBeenCalled();
    },
  );
});

describe("readStart", () => {
  it("reads the start and closes the connection", async () => {
    const { url, open } = await upstreamServer((_, response) => {
      const write = (): void => void response.write("€".repeat(1000), (error) => error ?? write());
      write();
    });
    expect(await readStart(await ask(url), 9)).toBe("€€€");
    await expect.poll(() => open.size).toBe(0);
  });
});

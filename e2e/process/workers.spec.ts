import { randomBytes } from "node:crypto";
import { createChatCompletion } from "../../lib/gateway/contract";
import { createKey } from "../../lib/records/keys/contract";
import { startPostgres } from "../../lib/testing/postgres";
import { createApi } from "../api-client";
import { expect, test } from "../own-server";
import { launchServer, MANAGEMENT_KEY, type Server } from "../server";

const COUNT = 'signalbox_http_request_duration_seconds_count{operation="createChatCompletion",status="200"} ';

/** Reads `/metrics`; the connection determines which worker responds. */
async function countOf({ url }: Server): Promise<number> {
  const headers = { authorization: `Bearer ${MANAGEMENT_KEY}`, connection: "close" };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  return Number(
    text
      .split("\n")
      .find((line) => line.startsWith(COUNT))
      ?.slice(COUNT.length) ?? 0,
  );
}

const workerOf = async ({ url }: Server): Promise<number> =>
  ((await (await fetch(`${url}/readyz`, { headers: { connection: "close" } })).json()) as { worker: number }).worker;

/** Returns the workers that respond over separate connections. */
async function workersOf(server: Server): Promise<number[]> {
  const seen = new Set<number>();
  for (let tries = 0; tries < 30; tries++) seen.add(await workerOf(server));
  return [...seen].sort();
}

test("two workers share a port; one that is killed is replaced while the other serves", async ({ own }) => {
  const postgres = await startPostgres();
  try {
    const server = await own.start({
      DATABASE_URL: postgres.url("postgres"),
      SIGNALBOX_SECRET_KEY: randomBytes(32).toString("base64"),
      SIGNALBOX_WORKERS: "2",
    });
    await expect.poll(() => workersOf(server)).toEqual([1, 2]);
    const { key } = await createApi(server.url, MANAGEMENT_KEY).call(createKey, { body: { name: "Caller" } });
    const api = createApi(server.url, key);
    const request = { body: { model: "sandbox/echo", messages: [{ role: "user" as const, content: "Hello" }] } };
    const ask = () => api.send(createChatCompletion, request, { headers: { connection: "close" } });
    const statuses = async (count: number) => {
      const all: number[] = [];
      for (let sent = 0; sent < count; sent++) all.push((await ask()).status);
      return [...new Set(all)];
    };

    expect(await statuses(20)).toEqual([200]);
    const counts = async () => [await countOf(server), await countOf(server), await countOf(server)];
    await expect.poll(counts).toEqual([20, 20, 20]);

    const pid = Number(/"pid":(\d+),"msg":"worker 2 started"/.exec(server.output())?.[1]);
    process.kill(pid, "SIGKILL");
    await expect.poll(() => server.output()).toContain("a worker ended and is replaced");
    expect(await statuses(20)).toEqual([200]);
    await expect.poll(() => workersOf(server)).toEqual([1, 3]);
    expect(await statuses(20)).toEqual([200]);
    await expect.poll(counts).toEqual([60, 60, 60]);

    const messages = [{ role: "user", content: "word ".repeat(10_000) }];
    const running = await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ ...request.body, messages, stream: true }),
    });
    server.signal("SIGTERM");
    expect(await running.text()).toContain("[DONE]");
    expect(await server.ended).toBe(0);
  } finally {
    await postgres.stop();
  }
});

test("workers are refused on the embedded database", async ({ own }) => {
  const variables = { ...own.variables, SIGNALBOX_WORKERS: "2" };
  const server = await launchServer({ name: `${own.name}-workers`, variables });
  expect(await server.ended).toBe(1);
  expect(server.output()).toContain("Signalbox could not start: SIGNALBOX_WORKERS must be 1 without DATABASE_URL");
});

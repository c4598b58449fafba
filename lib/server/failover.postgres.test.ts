import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createChatCompletion } from "../gateway/contract";
import * as gateway from "../gateway/service";
import type { OpenDatabase } from "../platform/database/open";
import { createKey } from "../testing/factories";
import { queryServer, startFailoverPair, type FailoverPair } from "../testing/failover-pair";
import { testWorld } from "../testing/test-context";
import { createSandbox } from "./bootstrap";
import { handle } from "./handle";

const LANES = 8;

let pair: FailoverPair;

beforeAll(async () => {
  vi.stubEnv("SIGNALBOX_SECRET_KEY", Buffer.alloc(32, 7).toString("base64"));
  vi.stubEnv("SIGNALBOX_LOG_LEVEL", "silent");
  vi.stubEnv("SIGNALBOX_RATE_LIMIT_PER_MINUTE", "0");
  pair = await startFailoverPair();
});
afterAll(() => pair.stop());

it("loses nothing acknowledged when the primary is killed under load and its synchronous standby promoted, and recovers by itself", async () => {
  const { opened, standby } = pair;
  const [first] = opened;
  const world = await testWorld({ db: first.client });
  await createSandbox(first.client, world.organizationId, new Date());
  const { text } = await createKey(world);
  const route = handle(createChatCompletion, gateway.createChatCompletion);
  const acknowledged: string[] = [];
  const failures = new Set<string>();
  let isOver = false as boolean;

  const send = async (database: OpenDatabase) => {
    Object.assign(globalThis, { __signalbox: Promise.resolve({ db: database.client, database }) });
    const response = await route(
      new Request("http://localhost/v1/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${text}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "sandbox/echo", messages: [{ role: "user", content: "Hello" }] }),
      }),
      {},
    );
    await response.text();
    if (response.status === 200) acknowledged.push(response.headers.get("x-generation-id") ?? "");
    else {
      failures.add(`${response.status} ${response.headers.get("retry-after")}`);
      await sleep(20);
    }
  };
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    while (!isOver) await send(opened[lane % opened.length] as OpenDatabase);
  });
  const untilAcknowledged = (count: number) =>
    vi.waitUntil(() => acknowledged.length >= count, { timeout: 60_000, interval: 10 });

  await untilAcknowledged(50);
  await pair.failOver();
  await untilAcknowledged(acknowledged.length + 100);
  isOver = true;
  await Promise.all(lanes);

  const recorded = new Set(
    (await queryServer<{ id: string }>(standby, "SELECT id FROM generations")).map(({ id }) => id),
  );
  expect(acknowledged.filter((id) => !recorded.has(id))).toEqual([]);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect([...failures].filter((failure) => !/^(502|524|529) 1$/.test(failure))).toEqual([]);
  // Each process reads and writes again.
  for (const { client } of opened) {
    await client.workspace.update({ where: { id: world.workspaceId }, data: { name: "After" } });
    expect(await client.generation.count()).toBe(recorded.size);
  }
});

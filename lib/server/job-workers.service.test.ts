import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, inject, it, vi } from "vitest";
import type { Context } from "../platform/context";
import type { OpenDatabase } from "../platform/database/open";
import { inTransaction } from "../platform/database/transaction";
import type { Env } from "../platform/env";
import { enqueue } from "../platform/jobs/queue";
import { logger } from "../platform/logger";
import { answers, receiver } from "../testing/receiver";
import { testDatabase, testWorld } from "../testing/test-context";
import { CreateWebhookBody } from "../records/webhooks/contract";
import { test } from "../records/webhooks/deliveries-service";
import { create } from "../records/webhooks/service";
import { startJobWorkers } from "./job-workers";

const none = { query: {}, params: {}, body: undefined };
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  vi.restoreAllMocks();
});

async function workers(
  change = (database: OpenDatabase): Partial<OpenDatabase> => database,
  settings: Partial<Env> = {},
): Promise<() => Promise<void>> {
  const { context } = await testWorld();
  const database = await testDatabase();
  const stop = startJobWorkers(
    { ...database, ...change(database) },
    { ...context.settings, ...settings },
    () => new Date(),
  );
  stops.push(stop);
  return stop;
}

/** States of the jobs of a queue, in the order in which they were queued. */
async function jobsOf(name: string): Promise<string[]> {
  const { client } = await testDatabase();
  const jobs = await client.$queryRaw<{ state: string }[]>`
    SELECT state::text FROM signalbox_jobs.job WHERE name = ${name} ORDER BY created_on`;
  return jobs.map(({ state }) => state);
}

async function world(url: string, beside?: { context: Context }) {
  const { context } = beside ?? (await testWorld({ now: new Date() }));
  const { data } = await create(context, { ...none, body: CreateWebhookBody.parse({ url, events: ["key.created"] }) });
  const send = (db = context.db) => test({ ...context, db }, { ...none, params: { id: data.id } });
  const states = async () =>
    (await context.db.webhookDelivery.findMany({ where: { webhookId: data.id } })).map(({ status }) => status);
  return { context, send, states };
}

it("are delivered once a worker starts, and never when rolled back", async () => {
  const { url, received } = await receiver(answers(200));
  const { context, send, states } = await world(url);
  const { data } = await send();
  const failing = inTransaction(context.db, async (db) => {
    await send(db);
    throw new Error("rolled back");
  });
  await expect(failing).rejects.toThrow("rolled back");
  await workers();
  await expect.poll(states).toEqual(["delivered"]);
  expect(received.map(({ headers }) => headers["webhook-id"])).toEqual([data.id]);
});

it("delivers events interrupted by a stopping process", async () => {
  let isHanging = true;
  const { url, received } = await receiver((response) => {
    if (!isHanging) response.end();
  });
  const { send, states } = await world(url);
  const stop = await workers();
  await send();
  await expect.poll(() => received.length).toBe(1);
  await stop();
  expect(await states()).toEqual(["pending"]);
  isHanging = false;
  await workers();
  await expect.poll(states).toEqual(["delivered"]);
});

it("limits the delay by a slow receiver to its deadline, and delivers each event once with two workers", async () => {
  const { url, received } = await receiver(answers(200));
  const { send, states } = await world(url);
  await Promise.all([workers(), ...(inject("postgresUrl") ? [workers()] : [])]);
  for (let count = 0; count < 20; count++) await send();
  await expect.poll(async () => new Set(await states())).toEqual(new Set(["delivered"]));
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(20);
  expect(received).toHaveLength(20);
});

it("takes over the delivery of a killed process when its lease has ended", async () => {
  const { url, received } = await receiver(answers(200));
  const { context, send, states } = await world(url);
  const { data } = await send();
  const leasedUntil = (nextAttemptAt: Date) =>
    context.db.webhookDelivery.update({ where: { id: data.id }, data: { nextAttemptAt } });
  await leasedUntil(new Date(Date.now() + 60 * 60_000));
  const other = await world(url);
  await other.send();
  await workers();
  await expect.poll(other.states).toEqual(["delivered"]);
  expect(await states()).toEqual(["pending"]);
  await leasedUntil(new Date());
  await expect.poll(states).toEqual(["delivered"]);
  expect(received).toHaveLength(2);
});

it("delivers to one webhook at once although 200 events wait for another one, whose receiver hangs", async () => {
  const hanging = await receiver(() => undefined);
  const good = await receiver(answers(200));
  const a = await world(hanging.url);
  const b = await world(good.url, a);
  const { data } = await a.send();
  const first = await a.context.db.webhookDelivery.findUniqueOrThrow({
    where: { id: data.id },
    omit: { attempts: true },
  });
  await a.context.db.webhookDelivery.createMany({
    data: Array.from({ length: 199 }, () => ({ ...first, id: crypto.randomUUID() })),
  });
  await b.send();
  await workers();
  await expect.poll(b.states).toEqual(["delivered"]);
  expect(new Set(await a.states())).toEqual(new Set(["pending"]));
  expect(hanging.received.length).toBeLessThanOrEqual(10);
});

it("goes on when the database is lost while a job ends", async () => {
  const { client } = await testDatabase();
  await client.$executeRaw`DELETE FROM signalbox_jobs.job WHERE name = 'watch'`;
  const ask = () => enqueue(client, [{ name: "watch", data: {} }]);
  let losses = 0;
  const rejections: unknown[] = [];
  const note = (reason: unknown) => rejections.push(reason);
  process.on("unhandledRejection", note);
  await workers(({ runSql }) => ({
    runSql: (text, values) => {
      if (losses > 0 || !text.includes("state = 'completed'")) return runSql(text, values);
      losses += 1;
      return Promise.reject(new Error("Connection terminated unexpectedly"));
    },
  }));
  await ask();
  await expect.poll(() => losses).toBe(1);
  await ask();
  await expect.poll(() => jobsOf("watch")).toEqual(expect.arrayContaining(["active", "completed"]));
  process.off("unhandledRejection", note);
  expect(rejections).toEqual([]);
});

it("watches for the rest although budget alerts fail, and the job has failed", async () => {
  const error = vi.spyOn(logger(), "error").mockImplementation(() => undefined);
  const { client } = await testDatabase();
  const full = { subject: "client:full", tokens: 1, granted: 1, at: new Date(0) };
  await client.rateBucket.create({ data: full });
  await enqueue(client, [{ name: "watch", data: {} }]);
  await workers(() => ({
    client: new Proxy(client, {
      get: (target, name) =>
        name === "$transaction"
          ? () => Promise.reject(new Error("no transaction"))
          : (Reflect.get(target, name) as unknown),
    }),
  }));
  await expect.poll(() => client.rateBucket.count({ where: { subject: full.subject } })).toBe(0);
  await expect.poll(() => jobsOf("watch")).toContain("failed");
  expect(error).toHaveBeenCalledWith(expect.objectContaining({ step: "budget alerts" }), "watch failed");
});

it("purges in one process at a time, and takes the place of one that was killed when its job has expired", async () => {
  const { client } = await testDatabase();
  const ask = () => enqueue(client, [{ name: "purge", data: {} }]);
  const startedAgo = (interval: string) => client.$executeRaw`
    UPDATE signalbox_jobs.job SET state = 'active', started_on = now() - ${interval}::interval
    WHERE id = (SELECT id FROM signalbox_jobs.job WHERE name = 'purge' ORDER BY created_on LIMIT 1)`;
  await ask();
  await startedAgo("1 second");
  await ask();
  await ask();
  let looks = 0;
  const stop = await workers(({ runSql }) => ({
    runSql: (text, values) => runSql(text, values).finally(() => (looks += Number(values?.[0] === "purge"))),
  }));
  await expect.poll(() => looks).toBeGreaterThan(0);
  expect(await jobsOf("purge")).toEqual(["active", "created"]);
  await stop();
  await startedAgo("6 minutes");
  await workers();
  await expect.poll(() => jobsOf("purge")).toEqual(["failed", "completed"]);
});

it("waits for a purge when it stops, and ends it", async () => {
  const { client } = await testDatabase();
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  let begun = false;
  await client.$executeRaw`DELETE FROM signalbox_jobs.job WHERE name = 'purge'`;
  await enqueue(client, [{ name: "purge", data: {} }]);
  const stop = await workers(({ query }) => ({
    query: async (text) => {
      begun = true;
      await opened;
      return query(text);
    },
  }));
  await expect.poll(() => begun).toBe(true);
  const order: string[] = [];
  const stopping = stop().then(() => order.push("stopped"));
  // The queue alone waits for two seconds.
  await sleep(3_000);
  order.push("released");
  open();
  await stopping;
  expect(order).toEqual(["released", "stopped"]);
  await expect.poll(() => jobsOf("purge")).toEqual(["failed"]);
});

it("purges a minute after the start", async () => {
  const { client } = await testDatabase();
  await client.$executeRaw`DELETE FROM signalbox_jobs.job WHERE name = 'purge'`;
  const timeouts = vi.spyOn(globalThis, "setTimeout");
  await workers();
  const [ask, ...others] = timeouts.mock.calls.filter(([, ms]) => ms === 60_000).map(([callback]) => callback);
  expect(others).toEqual([]);
  ask?.();
  await expect.poll(() => jobsOf("purge")).toEqual(["completed"]);
});

it("compares the object storage once a day", async () => {
  const { client } = await testDatabase();
  const intervals = vi.spyOn(globalThis, "setInterval");
  const contentBucket = {
    endpoint: "http://127.0.0.1:9",
    region: "eu",
    bucket: "contents",
    pathStyle: true,
    writeTimeoutMs: 1_000,
    accessKeyId: "none",
    secretAccessKey: "none",
  };
  await workers(undefined, { contentBucket });
  const eachMinute = intervals.mock.calls.filter(([, ms]) => ms === 60_000).map(([callback]) => callback);
  const queued = () => client.$queryRaw<{ hours: number }[]>`
    SELECT round(extract(epoch FROM start_after - now()) / 3600)::int AS hours
    FROM signalbox_jobs.job WHERE name = 'content-sweep' AND state < 'active'`;
  for (const ask of eachMinute) ask();
  await expect.poll(queued).toEqual([{ hours: 24 }]);
  await client.$executeRaw`UPDATE signalbox_jobs.job SET state = 'completed' WHERE name = 'content-sweep'`;
  for (const ask of eachMinute) ask();
  for (const ask of eachMinute) ask();
  await expect.poll(queued).toEqual([{ hours: 24 }]);
});

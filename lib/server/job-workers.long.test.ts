import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, inject, it, vi } from "vitest";
import type { Context } from "../platform/context";
import type { OpenDatabase } from "../platform/database/open";
import { inTransaction } from "../platform/database/transaction";
import type { Env } from "../platform/env";
import { makeDue, type RecurringJob } from "../platform/jobs/recurring-store";
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

/** Sets when a job is due and until when a process runs it, in seconds from now. */
async function place(name: RecurringJob, { dueIn, leasedFor }: { dueIn: number; leasedFor: number | null }) {
  const { client } = await testDatabase();
  await client.$executeRaw`
    UPDATE recurring_jobs SET due_at = now() + ${dueIn} * interval '1 second', leased_until = now() + ${leasedFor} * interval '1 second'
    WHERE name = ${name}`;
}

/** Returns whether a job is due, whether it runs, and the minutes until it is due. */
async function placeOf(name: RecurringJob) {
  const { client } = await testDatabase();
  const [row] = await client.$queryRaw<{ runs: boolean; minutes: number }[]>`
    SELECT leased_until IS NOT NULL AS runs, ceil(extract(epoch FROM due_at - now()) / 60)::int AS minutes
    FROM recurring_jobs WHERE name = ${name}`;
  return row;
}

/** Returns a function that makes processes started from now on look for due jobs. */
function looks(everyMs = 15_000): () => void {
  const intervals = vi.spyOn(globalThis, "setInterval").mockClear();
  return () => {
    for (const [look, ms] of intervals.mock.calls) if (ms === everyMs) look();
  };
}

/** A client whose method has another implementation. */
const withMethod = (client: OpenDatabase["client"], method: string, run: (...args: unknown[]) => unknown) =>
  new Proxy(client, {
    get: (target, name) => (name === method ? run : (Reflect.get(target, name) as unknown)),
  });

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

it("goes on when the database is lost while a job ends, and runs it again when its time limit has passed", async () => {
  const { client } = await testDatabase();
  const error = vi.spyOn(logger(), "error").mockImplementation(() => undefined);
  const lost = new Error("Connection terminated unexpectedly");
  await place("watch", { dueIn: 0, leasedFor: null });
  const look = looks();
  await workers(() => ({ client: withMethod(client, "$executeRaw", () => Promise.reject(lost)) }));
  look();
  await expect.poll(() => error.mock.calls.map(([entry]) => (entry as { err?: unknown }).err)).toContain(lost);
  expect(await placeOf("watch")).toEqual({ runs: true, minutes: 1 });
  await place("watch", { dueIn: 0, leasedFor: -1 });
  const lookAgain = looks();
  await workers();
  lookAgain();
  await expect.poll(() => placeOf("watch")).toEqual({ runs: false, minutes: 1 });
});

it("watches for the rest although budget alerts fail", async () => {
  const error = vi.spyOn(logger(), "error").mockImplementation(() => undefined);
  const { client } = await testDatabase();
  const full = { subject: "client:full", tokens: 1, granted: 1, at: new Date(0) };
  await client.rateBucket.create({ data: full });
  await place("watch", { dueIn: 0, leasedFor: null });
  const look = looks();
  await workers(() => ({
    client: withMethod(client, "$transaction", () => Promise.reject(new Error("no transaction"))),
  }));
  look();
  await expect.poll(() => client.rateBucket.count({ where: { subject: full.subject } })).toBe(0);
  await expect.poll(() => placeOf("watch")).toEqual({ runs: false, minutes: 1 });
  expect(error).toHaveBeenCalledWith(expect.objectContaining({ step: "budget alerts" }), "watch failed");
});

it("purges in one process at a time, and takes the place of one that was killed when its time limit has passed", async () => {
  const { client } = await testDatabase();
  let claims = 0;
  await place("purge", { dueIn: 0, leasedFor: 60 });
  const look = looks();
  await workers(() => ({
    client: withMethod(client, "$queryRaw", (...args) => {
      claims += Number(args.includes("purge"));
      return (client.$queryRaw as (...all: unknown[]) => unknown)(...args);
    }),
  }));
  look();
  await expect.poll(() => claims).toBe(1);
  expect(await placeOf("purge")).toEqual({ runs: true, minutes: 0 });
  await place("purge", { dueIn: 0, leasedFor: -1 });
  look();
  await expect.poll(() => placeOf("purge")).toEqual({ runs: false, minutes: 60 });
});

it("purges again when that is requested during a purge", async () => {
  const { client } = await testDatabase();
  await place("purge", { dueIn: 60, leasedFor: 60 });
  await makeDue(client, "purge");
  expect(await placeOf("purge")).toEqual({ runs: true, minutes: 0 });
  await place("purge", { dueIn: -60, leasedFor: null });
  await makeDue(client, "purge");
  expect(await placeOf("purge"), "since when it was due").toEqual({ runs: false, minutes: -1 });
});

it("waits for a purge when it stops, ends it, and leaves the rest to another process", async () => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  let begun = false;
  await place("purge", { dueIn: 0, leasedFor: null });
  const look = looks();
  const stop = await workers(({ query }) => ({
    query: async (text) => {
      begun = true;
      await opened;
      return query(text);
    },
  }));
  look();
  await expect.poll(() => begun).toBe(true);
  const order: string[] = [];
  const stopping = stop().then(() => order.push("stopped"));
  // Only deliveries are awaited, for two seconds.
  await sleep(3_000);
  order.push("released");
  open();
  await stopping;
  expect(order).toEqual(["released", "stopped"]);
  expect(await placeOf("purge")).toEqual({ runs: false, minutes: 0 });
});

it("compares the object storage once a day", async () => {
  const contentBucket = {
    endpoint: "http://127.0.0.1:9",
    region: "eu",
    bucket: "contents",
    pathStyle: true,
    writeTimeoutMs: 1_000,
    accessKeyId: "none",
    secretAccessKey: "none",
  };
  vi.spyOn(logger(), "error").mockImplementation(() => undefined);
  await place("content-sweep", { dueIn: 0, leasedFor: null });
  const look = looks(60_000);
  await workers(undefined, { contentBucket });
  look();
  await expect.poll(() => placeOf("content-sweep")).toEqual({ runs: false, minutes: 24 * 60 });
});

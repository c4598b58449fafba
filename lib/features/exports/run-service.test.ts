import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { list as listAudit } from "../../platform/audit/service";
import { exportDue } from "../../testing/export-due";
import { createGeneration } from "../../testing/generations";
import { startObjectStorage, type ObjectStorage } from "../../testing/object-storage";
import { uuidv7 } from "../../platform/ids";
import { answers, receiver, type Received } from "../../testing/receiver";
import { openTransactions } from "../../records/generations/recorded-store";
import { NOW, testDatabase, testWorld, type World } from "../../testing/test-context";
import { CreateExportBody, UpdateExportBody } from "./contract";
import { resealExports } from "./rotation-store";
import { openSecret } from "./rows";
import { create, get, list, listRuns, remove, test, update } from "./service";

const none = { query: {}, params: {}, body: undefined };
const PAGE = { offset: 0, limit: 50 };
const MINUTE_MS = 60_000;

let storage: ObjectStorage;
beforeAll(async () => {
  storage = await startObjectStorage();
});
afterAll(() => storage.close());
// A run exports to the destinations of all tests.
afterEach(async () => (await testDatabase()).client.exportDestination.updateMany({ data: { enabled: false } }));

/**
 * Runs due destinations a number of minutes after the start. Waits until all records precede every open transaction,
 * including those of other tests' databases on the same server.
 */
async function runAt(
  { context: { db, settings }, organizationId }: World,
  minutes: number,
  options: { clock?: () => Date; signal?: AbortSignal } = {},
) {
  const { _max } = await db.generation.aggregate({ where: { organizationId }, _max: { recordedIn: true } });
  await expect.poll(() => openTransactions(db)).toBeGreaterThan(_max.recordedIn ?? -1n);
  const at = new Date(NOW.getTime() + minutes * MINUTE_MS);
  return exportDue({ db, settings, clock: () => at, signal: new AbortController().signal, ...options });
}

/** Creates a collector that responds according to the received generations. */
async function collector(statusOf: (ids: readonly string[], path: string) => number | null) {
  const accepted: string[] = [];
  const { url, received } = await receiver((response, nth) => {
    const one = received[nth - 1];
    if (!one) throw new Error("no request");
    const ids = sentIn(one).map((each) => String(attributesOf(each)["signalbox.generation.id"]));
    const status = statusOf(ids, one.path);
    if (status === 200) accepted.push(...ids.map((id) => (one.path === "/v1/logs" ? `log ${id}` : id)));
    if (status !== null) answers(status, "{}")(response);
  });
  return { url: url.replace("/hook", "/v1/traces"), received, accepted };
}

async function createGenerations(world: World, count: number, fields: Parameters<typeof createGeneration>[1] = {}) {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await createGeneration(world, fields));
  return ids;
}

const createDestination = async ({ context }: World, body: Record<string, unknown>) =>
  (await create(context, { ...none, body: CreateExportBody.parse({ name: "E", start: "oldest", ...body }) })).data;
const toCollector = (world: World, url: string, body: Record<string, unknown> = {}) =>
  createDestination(world, { kind: "otlp", otlp: { url, headers: { "x-api-key": "hush" } }, ...body });
const toBucket = (world: World, body: Record<string, unknown> = {}, s3: Record<string, unknown> = {}) => {
  const { endpoint, bucket, accessKeyId, secretAccessKey } = storage.settings;
  const own = { endpoint, bucket, path_style: true, access_key_id: accessKeyId, secret_access_key: secretAccessKey };
  return createDestination(world, { kind: "s3_jsonl", s3: { ...own, ...s3 }, ...body });
};
const runsOf = async ({ context }: World, id: string) =>
  (await listRuns(context, { ...none, params: { id }, query: PAGE })).data;

interface Sent {
  traceId: string;
  spanId: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}
type Span = Sent & { startTimeUnixNano: string };
const BOTH = { signals: ["traces", "logs"] };
const spansIn = (body: string) =>
  (JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans.flatMap((one) =>
    one.scopeSpans.flatMap(({ spans }) => spans),
  );
const logsIn = (body: string) =>
  (JSON.parse(body) as { resourceLogs: { scopeLogs: { logRecords: Sent[] }[] }[] }).resourceLogs.flatMap((one) =>
    one.scopeLogs.flatMap(({ logRecords }) => logRecords),
  );
const sentIn = ({ path, body }: Received) => (path === "/v1/logs" ? logsIn : spansIn)(body);
const attributesOf = ({ attributes }: Sent) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
const idsIn = (bodies: readonly string[]) =>
  bodies.flatMap((body) => spansIn(body).map((span) => attributesOf(span)["signalbox.generation.id"]));
async function linesUnder(prefix: string) {
  const keys = await storage.bucket.list(prefix, "", AbortSignal.timeout(60_000));
  const files = await Promise.all(keys.map((key) => storage.bucket.get(key, 10_000_000, AbortSignal.timeout(60_000))));
  const lines = files.flatMap((file) =>
    gunzipSync(file ?? "")
      .toString()
      .split("\n")
      .filter(Boolean),
  );
  return { keys, records: lines.map((line) => JSON.parse(line) as Record<string, unknown> & { id: string }) };
}

it("exports each generation once to a collector, as a span of the GenAI conventions", async () => {
  const world = await testWorld();
  const { url, received } = await receiver(answers(200, "{}"));
  const first = await createGeneration(world, { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", generationTimeMs: 1500 });
  const { id } = await toCollector(world, url);
  await expect.poll(() => runAt(world, 1)).toBe(1);
  const second = await createGeneration(world, { errorStatus: 502, errorMessage: "down", status: "failed" });
  await expect.poll(() => runAt(world, 2)).toBe(1);
  expect(await runAt(world, 3)).toBe(0);
  expect(idsIn(received.map(({ body }) => body))).toEqual([first, second]);
  expect(received[0]?.headers).toMatchObject({ "x-api-key": "hush", "content-type": "application/json" });
  const [span] = spansIn(received[0]?.body ?? "");
  expect(span).toMatchObject({
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    spanId: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
    name: "chat sandbox/echo",
    startTimeUnixNano: `${NOW.getTime()}000000`,
    endTimeUnixNano: `${NOW.getTime() + 1500}000000`,
  });
  expect(span && attributesOf(span)).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.usage.input_tokens": "3",
    "gen_ai.usage.output_tokens": "5",
    "signalbox.generation.cost_usd": 0.000009,
  });
  expect(spansIn(received[1]?.body ?? "")[0]).toMatchObject({ status: { code: 2, message: "down" } });
  expect((await runsOf(world, id)).map(({ generations, error }) => [generations, error])).toEqual([
    [1, null],
    [1, null],
  ]);
});

it("sends the same again after a failure, with growing delays, and goes on where it stopped", async () => {
  const world = await testWorld();
  const { url, received } = await receiver((response, nth) => {
    answers(nth <= 2 ? 503 : 200, "{}")(response);
  });
  const ids = [await createGeneration(world), await createGeneration(world)];
  const { id } = await toCollector(world, url);
  await expect.poll(async () => (await runAt(world, 1), received.length)).toBe(1);
  expect(await runAt(world, 1)).toBe(0);
  expect((await get(world.context, { ...none, params: { id } })).data.failing_since).not.toBeNull();
  expect(await runAt(world, 2)).toBe(0);
  expect(await runAt(world, 3)).toBe(2);
  const spans = received.map(({ body }) => spansIn(body).map(({ traceId, spanId }) => [traceId, spanId]));
  expect(spans).toEqual([spans[0], spans[0], spans[0]]);
  expect(idsIn([received[2]?.body ?? ""]).toSorted()).toEqual(ids.toSorted());
  expect((await runsOf(world, id)).map(({ error }) => error)).toEqual([
    null,
    "The receiver returned 503 for traces",
    "The receiver returned 503 for traces",
  ]);
  expect((await get(world.context, { ...none, params: { id } })).data.failing_since).toBeNull();
});

it("sends spans and log records to their endpoints of a collector, and both again if one fails", async () => {
  const world = await testWorld();
  const { url, received } = await receiver((response, nth) => {
    answers(nth === 2 ? 503 : 200, "{}")(response);
  });
  const ids = [await createGeneration(world), await createGeneration(world, { status: "blocked" })];
  const { id } = await toCollector(world, "", { otlp: { url: url.replace("/hook", "/v1/traces"), ...BOTH } });
  await expect.poll(async () => (await runAt(world, 1), received.length)).toBe(2);
  expect(await runAt(world, 2)).toBe(2);
  expect(received.map(({ path }) => path)).toEqual(["/v1/traces", "/v1/logs", "/v1/traces", "/v1/logs"]);
  const sent = received.map((one) =>
    sentIn(one).map((each) => [attributesOf(each)["signalbox.generation.id"], each.traceId, each.spanId]),
  );
  expect(sent).toEqual([sent[0], sent[0], sent[0], sent[0]]);
  expect(sent[0]?.map(([generation]) => generation).toSorted()).toEqual(ids.toSorted());
  expect((await runsOf(world, id)).map(({ generations, error }) => [generations, error])).toEqual([
    [2, null],
    [0, "The receiver returned 503 for logs"],
  ]);
});

it.each([
  ["traces", { rejectedSpans: "1" }, 1, "The receiver rejected 1 of 2 spans"],
  ["logs", { rejectedLogRecords: 1, errorMessage: "too old" }, 1, "The receiver rejected 1 of 2 log records"],
  ["traces", { rejectedSpans: "99999999999999999999" }, 2, "The receiver rejected 2 of 2 spans"],
  ["traces", { rejectedSpans: "0", errorMessage: "slow down" }, 0, null],
])(
  "doesn't repeat %s of which a collector accepted a part: %j",
  async (signal, partialSuccess, rejected, rejection) => {
    const world = await testWorld();
    const { url, received } = await receiver(answers(200, JSON.stringify({ partialSuccess })));
    await createGenerations(world, 2);
    const { id } = await toCollector(world, "", { otlp: { url, signals: [signal] } });
    expect(await runAt(world, 1)).toBe(2);
    expect(await runAt(world, 2)).toBe(0);
    expect(received).toHaveLength(1);
    const [run] = await runsOf(world, id);
    expect(run).toMatchObject({ generations: 2, error: null, rejected, rejection, skipped_generation_id: null });
    expect((await get(world.context, { ...none, params: { id } })).data.last_run).toEqual(run);
  },
);

it.each([400, 413, 422])("skips the one generation for which a collector returns %i", async (status) => {
  const world = await testWorld();
  const ids = await createGenerations(world, 7);
  const wrong = ids[4] ?? "";
  const { url, accepted } = await collector((sent) => (sent.includes(wrong) ? status : 200));
  const { id } = await toCollector(world, url);
  expect(await runAt(world, 1)).toBe(7);
  expect(accepted).toEqual(ids.filter((one) => one !== wrong));
  const runs = await runsOf(world, id);
  expect(runs.filter(({ skipped_generation_id }) => skipped_generation_id !== null)).toMatchObject([
    {
      generations: 1,
      error: null,
      rejected: 1,
      rejection: `The receiver returned ${status} for traces`,
      skipped_generation_id: wrong,
    },
  ]);
  expect(runs.reduce((sum, { generations }) => sum + generations, 0)).toBe(7);
  expect((await get(world.context, { ...none, params: { id } })).data).toMatchObject({
    failing_since: null,
    oldest_pending_at: null,
  });
});

it.each([
  ["/v1/traces", "traces"],
  ["/v1/logs", "logs"],
])("sends the other signal of a generation that %s rejects", async (path, signal) => {
  const world = await testWorld();
  const ids = await createGenerations(world, 3);
  const [wrong = "", ...others] = ids;
  const { url, accepted } = await collector((sent, at) => (at === path && sent.includes(wrong) ? 400 : 200));
  const { id } = await toCollector(world, "", { otlp: { url, ...BOTH } });
  expect(await runAt(world, 1)).toBe(3);
  const expected = [...others, ...others.map((one) => `log ${one}`), signal === "traces" ? `log ${wrong}` : wrong];
  expect(new Set(accepted)).toEqual(new Set(expected));
  const skipped = (await runsOf(world, id)).filter(({ rejected }) => rejected > 0);
  expect(skipped).toMatchObject([
    { rejected: 1, rejection: `The receiver returned 400 for ${signal}`, skipped_generation_id: wrong },
  ]);
});

it("loses only rejected generations when a process is killed at any request of the halving", async () => {
  const world = await testWorld();
  const ids = await createGenerations(world, 6);
  const wrong = new Set([ids[2], ids[3]]);
  const right = ids.filter((id) => !wrong.has(id));
  const requestsUntil = async (killedAt: number, isAccepted: boolean) => {
    const stopping = new AbortController();
    let nth = 0;
    const { url, accepted } = await collector((sent) => {
      nth++;
      if (nth === killedAt) stopping.abort(new Error("killed"));
      if (nth === killedAt && !isAccepted) return null;
      return sent.some((id) => wrong.has(id)) ? 400 : 200;
    });
    const { id } = await toCollector(world, url);
    await runAt(world, 1, { signal: stopping.signal }).catch(() => undefined);
    const total = nth;
    await runAt(world, 2);
    expect(new Set(accepted), `killed at ${killedAt}`).toEqual(new Set(right));
    const skipped = (await runsOf(world, id)).flatMap(({ skipped_generation_id }) => skipped_generation_id ?? []);
    expect(skipped.toSorted(), `killed at ${killedAt}`).toEqual([...wrong].toSorted());
    expect((await get(world.context, { ...none, params: { id } })).data.oldest_pending_at).toBeNull();
    await remove(world.context, { ...none, params: { id } });
    return total;
  };
  const total = await requestsUntil(0, true);
  expect(total).toBeGreaterThan(8);
  for (let nth = 1; nth <= total; nth++)
    for (const isAccepted of [false, true]) expect(await requestsUntil(nth, isAccepted)).toBe(nth);
});

it("fails without skipping if a collector rejects requests without generations too", async () => {
  const world = await testWorld();
  const ids = await createGenerations(world, 3);
  let isConfigured = false;
  const { url, accepted, received } = await collector(() => (isConfigured ? 200 : 400));
  const { id } = await toCollector(world, url);
  expect(await runAt(world, 1)).toBe(0);
  const error = "The receiver returned 400 for traces, with and without generations";
  expect(await runsOf(world, id)).toMatchObject([{ generations: 0, rejected: 0, error }]);
  const { length } = received;
  expect(await runAt(world, 25 * 60)).toBe(0);
  expect(received).toHaveLength(length + 2);
  expect((await get(world.context, { ...none, params: { id } })).data.paused_reason).not.toBeNull();
  isConfigured = true;
  await update(world.context, { ...none, params: { id }, body: UpdateExportBody.parse({ enabled: true }) });
  expect(await runAt(world, 26 * 60)).toBe(3);
  expect(accepted).toEqual(ids);
});

it.each([401, 403, 404, 415, 429, 500])("repeats the whole batch after %i", async (status) => {
  const world = await testWorld();
  const ids = await createGenerations(world, 2);
  const { url, received } = await collector(() => status);
  const { id } = await toCollector(world, url);
  expect(await runAt(world, 1)).toBe(0);
  expect(received.map(({ body }) => idsIn([body]))).toEqual([ids]);
  expect(await runsOf(world, id)).toMatchObject([{ error: `The receiver returned ${status} for traces` }]);
});

describe("a slow destination", () => {
  let at = NOW.getTime();
  const clock = () => new Date(at);
  const slow = (ms: number, statusOf: (ids: readonly string[]) => number = () => 200) =>
    collector((ids) => {
      at += ms;
      return statusOf(ids);
    });
  beforeEach(() => {
    at = NOW.getTime() + MINUTE_MS;
  });

  it("continues to halve a rejected batch in its next turn", async () => {
    const world = await testWorld();
    const ids = await createGenerations(world, 4);
    const wrong = ids[0] ?? "";
    const { url, accepted, received } = await slow(11_000, (sent) => (sent.includes(wrong) ? 400 : 200));
    await toCollector(world, url);
    expect(await runAt(world, 1, { clock })).toBe(4);
    expect(accepted).toEqual(ids.slice(1));
    expect(received.map(({ body }) => spansIn(body).length)).toEqual([4, 2, 1, 0, 2, 1]);
  });
});

it("keeps runs with rejections apart from the last 200 others", async () => {
  const world = await testWorld();
  const { url } = await receiver(answers(200, "{}"));
  const { id } = await toCollector(world, url);
  const run = (nth: number) => ({
    id: uuidv7(NOW),
    destinationId: id,
    generations: 1,
    startedAt: new Date(NOW.getTime() + nth),
    durationMs: 1,
    ...(nth < 3 && { rejected: 1, skippedGenerationId: `gen-${nth}` }),
  });
  await world.context.db.exportRun.createMany({ data: Array.from({ length: 210 }, (_, nth) => run(nth)) });
  await createGeneration(world);
  expect(await runAt(world, 1)).toBe(1);
  const rows = await world.context.db.exportRun.groupBy({
    by: ["rejected"],
    where: { destinationId: id },
    _count: true,
  });
  expect(new Map(rows.map(({ rejected, _count }) => [rejected, _count]))).toEqual(
    new Map([
      [0, 200],
      [1, 3],
    ]),
  );
});

it("keeps a destination's signals, and requires a URL that has an endpoint for each", async () => {
  const world = await testWorld();
  const { context } = world;
  const { id, otlp } = await toCollector(world, "https://otel.example.com/collect");
  expect(otlp?.signals).toEqual(["traces"]);
  const change = (body: object) =>
    update(context, { ...none, params: { id }, body: UpdateExportBody.parse({ otlp: body }) });
  await expect(change(BOTH)).rejects.toMatchObject({ status: 400 });
  await change({ signals: ["logs"] });
  const { data } = await change({ url: "https://otel.example.com/v1/traces" });
  expect(data.otlp).toEqual({
    url: "https://otel.example.com/v1/traces",
    signals: ["logs"],
    header_names: ["x-api-key"],
  });
  // Stored like this before there were signals.
  const target = { url: "https://otel.example.com/v1/traces", header_names: [] };
  await context.db.exportDestination.update({ where: { id }, data: { target } });
  expect((await get(context, { ...none, params: { id } })).data.otlp?.signals).toEqual(["traces"]);
});

it("is paused after a day of failures, with an audit event, until it is enabled", async () => {
  const world = await testWorld();
  const { url, received } = await receiver((response, nth) => {
    answers(nth <= 2 ? 401 : 200, "{}")(response);
  });
  await createGeneration(world);
  const { id } = await toCollector(world, url);
  await expect.poll(async () => (await runAt(world, 1), received.length)).toBe(1);
  await runAt(world, 25 * 60);
  const paused = (await get(world.context, { ...none, params: { id } })).data;
  expect(paused).toMatchObject({ enabled: false, paused_reason: "All exports failed for a day" });
  expect(await runAt(world, 50 * 60)).toBe(0);
  const events = await listAudit(world.context, { ...none, query: { limit: 10 } });
  expect(events.data.map(({ action, actor }) => [action, actor.type])).toContainEqual([
    "export_destination.pause",
    "system",
  ]);
  await update(world.context, { ...none, params: { id }, body: UpdateExportBody.parse({ enabled: true }) });
  expect(await runAt(world, 51 * 60)).toBe(1);
});

it("loses nothing when a process ends between sending and noting it: another one sends the same after the lease", async () => {
  const world = await testWorld();
  const ids = [await createGeneration(world), await createGeneration(world)];
  const prefix = `${world.organizationId}/`;
  const { id } = await toBucket(world, {}, { prefix, interval_minutes: 1 });
  const { db } = world.context;
  const before = await db.exportDestination.findUniqueOrThrow({ where: { id } });
  await expect.poll(() => runAt(world, 1)).toBe(2);
  // As left by a process that was killed after the upload.
  const { recordedIn, generationId } = before;
  const lease = new Date(NOW.getTime() + 6 * MINUTE_MS);
  await db.exportDestination.update({ where: { id }, data: { recordedIn, generationId, nextRunAt: lease } });
  expect(await runAt(world, 5)).toBe(0);
  expect(await runAt(world, 7)).toBe(2);
  const { keys, records } = await linesUnder(prefix);
  expect(keys).toEqual([
    expect.stringMatching(new RegExp(`^${prefix}2026-11-20/\\d{20}-gen-.*\\.jsonl\\.gz$`)) as string,
  ]);
  expect(records.map((record) => record.id).toSorted()).toEqual(ids.toSorted());
});

it("renews the lease while a batch is sent, so that no other process sends it too", async () => {
  const world = await testWorld();
  const { db, settings } = world.context;
  const waiting: (() => void)[] = [];
  const { url, received } = await receiver((response) => waiting.push(() => answers(200, "{}")(response)));
  await createGeneration(world);
  const { id } = await toCollector(world, url);
  const destination = async () => (await get(world.context, { ...none, params: { id } })).data;
  await expect.poll(async () => (await destination()).oldest_pending_at).not.toBeNull();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    let seconds = 60;
    const clock = () => new Date(NOW.getTime() + seconds * 1000);
    const exporting = () => exportDue({ db, settings, clock, signal: new AbortController().signal });
    const first = exporting();
    await vi.waitUntil(() => received.length === 1, { timeout: 30_000, interval: 10 });
    const { next_run_at: lease } = await destination();
    seconds += 14;
    vi.advanceTimersByTime(4_000);
    await vi.waitUntil(async () => (await destination()).next_run_at > lease, { timeout: 30_000, interval: 10 });
    seconds += 14;
    expect(await exporting()).toBe(0);
    for (const answer of waiting) answer();
    expect(await first).toBe(1);
  } finally {
    vi.useRealTimers();
  }
  expect(received).toHaveLength(1);
  expect((await runsOf(world, id)).map(({ generations }) => generations)).toEqual([1]);
});

it("exports to one destination at once although four others hang", async () => {
  const world = await testWorld();
  const hanging: (() => void)[] = [];
  const slow = await receiver((response) => hanging.push(() => answers(200, "{}")(response)));
  const good = await receiver(answers(200, "{}"));
  await createGeneration(world);
  for (let count = 0; count < 4; count++) await toCollector(world, slow.url);
  await toCollector(world, good.url);
  const running = runAt(world, 1);
  await expect.poll(() => [slow.received.length, good.received.length]).toEqual([4, 1]);
  for (const answer of hanging) answer();
  expect(await running).toBe(5);
});

it("exports twice at once what one process exports", async () => {
  const world = await testWorld();
  const { url, received } = await receiver(answers(200, "{}"));
  await createGeneration(world);
  await toCollector(world, url);
  await expect
    .poll(async () => {
      const counts = await Promise.all([runAt(world, 1), runAt(world, 1), runAt(world, 1)]);
      return counts.reduce((sum, count) => sum + count, 0) || (await runAt(world, 2));
    })
    .toBe(1);
  expect(received).toHaveLength(1);
});

it("shows each destination's last run, position and oldest pending generation", async () => {
  const world = await testWorld();
  const { context } = world;
  const ok = await receiver(answers(200, "{}"));
  const down = await receiver(answers(503));
  const at = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);
  await createGeneration(world, { createdAt: at(-2) });
  const working = await toCollector(world, ok.url);
  const failing = await toCollector(world, down.url);
  await toCollector(world, ok.url, { enabled: false, start: "now" });
  expect(working).toMatchObject({ exported_until: null, last_run: null });
  await expect.poll(async () => (await runAt(world, 1), ok.received.length * down.received.length)).toBe(1);
  await test(context, { ...none, params: { id: working.id } });
  const { data } = await list(context, { ...none, query: PAGE });
  expect(data.map((one) => [one.oldest_pending_at, one.last_run?.generations, one.last_run?.error])).toEqual([
    [null, 1, null],
    [at(-2).toISOString(), 0, "The receiver returned 503 for traces"],
    [null, undefined, undefined],
  ]);
  expect(data.map(({ exported_until }) => exported_until)).toEqual([expect.any(String), null, null]);
  expect(data[1]).toEqual((await get(context, { ...none, params: { id: failing.id } })).data);
  const second = await list(context, { ...none, query: { offset: 1, limit: 1 } });
  expect([second.data.map(({ id }) => id), second.total_count]).toEqual([[failing.id], 3]);
});

it("exports no content, masked content, or all of it, and audits the latter two once an hour", async () => {
  const world = await testWorld();
  const input = { messages: [{ role: "user", content: "write to ann@example.com" }] };
  const rule = { position: 0, scope: "key", field: "content_filter_builtins", rule: "email", action: "flag" } as const;
  await createGeneration(world, { content: { input }, decisions: { create: [{ ...rule, spans: [] }] } });
  const folder = (name: string) => `${world.organizationId}/${name}/`;
  for (const content of ["none", "masked", "full"]) await toBucket(world, { content }, { prefix: folder(content) });
  const { url, received } = await receiver(answers(200, "{}"));
  const otlp = { url: url.replace("/hook", "/v1/traces"), ...BOTH };
  for (const content of ["none", "masked"]) await toCollector(world, "", { otlp, content });
  await expect.poll(async () => (await runAt(world, 1), (await linesUnder(folder("full"))).records.length)).toBe(1);
  const [plain, masked, full] = await Promise.all(
    ["none", "masked", "full"].map(async (name) => (await linesUnder(folder(name))).records[0]),
  );
  expect(plain).not.toHaveProperty("content");
  expect(JSON.stringify(masked)).toContain("write to [EMAIL MASKED]");
  expect(JSON.stringify(masked)).not.toContain("ann@example.com");
  expect(JSON.stringify(full)).toContain("write to ann@example.com");
  const withContent = received.filter(({ body }) => body.includes("gen_ai.input.messages"));
  expect(withContent.map(({ path }) => path)).toEqual(["/v1/traces", "/v1/logs"]);
  for (const { body } of withContent) expect(body).toContain("write to [EMAIL MASKED]");
  expect(received).toHaveLength(4);
  expect(JSON.stringify(received)).not.toContain("ann@example.com");
  const { data } = await listAudit(world.context, { ...none, query: { limit: 20 } });
  const exports = data.filter(({ action }) => action === "generation.export_content");
  expect(exports.map(({ after }) => after).toSorted()).toEqual(
    expect.arrayContaining([{ content: "masked" }, { content: "full" }]),
  );
});

it("sends large contents apart", async () => {
  const world = await testWorld();
  const { url, received } = await receiver(answers(200, "{}"));
  for (let count = 0; count < 3; count++) await createGeneration(world, { content: { storedBytes: 3 * 1024 * 1024 } });
  const { id } = await toCollector(world, url, { content: "full" });
  await expect.poll(async () => (await runAt(world, 1), (await runsOf(world, id)).length)).toBe(2);
  expect(received.map(({ body }) => spansIn(body).length)).toEqual([2, 1]);
  const shown = await toCollector(world, url, { content: "none" });
  await expect.poll(async () => (await runAt(world, 2), (await runsOf(world, shown.id)).length)).toBe(1);
  expect(spansIn(received[2]?.body ?? "")).toHaveLength(3);
});

it("keeps secrets encrypted through changes and a rotation, and never shows them", async () => {
  const world = await testWorld();
  const { context } = world;
  const shown = [await toCollector(world, "https://otel.example.com/v1/traces"), await toBucket(world)];
  expect(shown[0]?.otlp).toEqual({
    url: "https://otel.example.com/v1/traces",
    signals: ["traces"],
    header_names: ["x-api-key"],
  });
  expect(JSON.stringify(shown)).not.toContain("hush");
  const [{ id } = { id: "" }] = shown;
  const body = UpdateExportBody.parse({ otlp: { url: "https://other.example.com/v1/traces" } });
  const { data } = await update(context, { ...none, params: { id }, body });
  expect(data.otlp).toMatchObject({ url: "https://other.example.com/v1/traces", header_names: ["x-api-key"] });
  const now = {
    ...context.settings,
    secretKey: Buffer.alloc(32, 9),
    previousSecretKeys: [context.settings.secretKey],
  };
  await resealExports(context.db, now);
  const row = await context.db.exportDestination.findUniqueOrThrow({ where: { id } });
  expect(openSecret({ ...now, previousSecretKeys: [] }, row)).toEqual({ headers: { "x-api-key": "hush" } });
  await resealExports(context.db, {
    ...now,
    secretKey: context.settings.secretKey,
    previousSecretKeys: [now.secretKey],
  });
  await remove(context, { ...none, params: { id } });
  expect((await list(context, { ...none, query: PAGE })).total_count).toBe(1);
});

it("tests a destination without moving it, and refuses addresses that aren't allowed", async () => {
  const world = await testWorld();
  const { context } = world;
  const ok = await toBucket(world, {}, { prefix: `${world.organizationId}/t/` });
  const wrong = await toBucket(world, {}, { secret_access_key: "wrong" });
  const tested = async (id: string) => (await test(context, { ...none, params: { id } })).data;
  expect(await tested(ok.id)).toMatchObject({ is_test: true, generations: 0, error: null });
  expect(await tested(wrong.id)).toMatchObject({
    error: "The object storage answered 403 SignatureDoesNotMatch",
  });
  const unreachable = await toCollector(world, "http://127.0.0.1:1/v1/traces");
  expect(await tested(unreachable.id)).toMatchObject({ error: "The receiver refused the connection" });
  const strict = { ...world, context: { ...context, settings: { ...context.settings, allowPrivateUpstreams: false } } };
  const { data } = await test(strict.context, { ...none, params: { id: ok.id } });
  expect(data.error).toMatch(/The URL must start with https/);
  const inspectOf = (body: Record<string, unknown>) => create.inspect(body, strict.context.settings);
  expect(inspectOf({ otlp: { url: "http://169.254.169.254/v1/traces" } }).map(({ path }) => path)).toEqual([
    ["otlp", "url"],
  ]);
  expect(inspectOf({ s3: { endpoint: "https://10.0.0.1" } }).map(({ path }) => path)).toEqual([["s3", "endpoint"]]);
});

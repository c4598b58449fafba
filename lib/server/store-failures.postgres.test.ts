import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import * as guardrails from "../features/guardrails/service";
import { openPostgres, type OpenDatabase } from "../platform/database/open";
import { inTransaction } from "../platform/database/transaction";
import { storeFailure } from "../platform/database/store-failure";
import { createGuardrail, listGuardrails } from "../records/guardrails/contract";
import { createChatCompletion } from "../gateway/contract";
import * as gateway from "../gateway/service";
import { createSandbox } from "./bootstrap";
import { createKey } from "../testing/factories";
import { newKeyText } from "../platform/key-text";
import { startPostgres, type PostgresServer } from "../testing/postgres";
import { testDatabase, testWorld, type World } from "../testing/test-context";
import { handle } from "./handle";
import { readiness } from "./health";
import { readMetrics } from "./scrape";
import { processWide } from "../platform/process-wide";

let server: PostgresServer;
let database: OpenDatabase;
beforeAll(async () => {
  vi.stubEnv("SIGNALBOX_SECRET_KEY", Buffer.alloc(32, 7).toString("base64"));
  vi.stubEnv("SIGNALBOX_LOG_LEVEL", "silent");
  server = await startPostgres();
  database = await openPostgres(server.url("postgres"));
});
beforeEach(() => {
  processWide("full store", () => ({ foundAt: 0 }))().foundAt = -Infinity;
});
afterAll(async () => {
  await database.close();
  await server.stop();
});

it.each([false, true])("statements fail while the database restarts, crash %s, and nothing else", async (isCrash) => {
  const { client: db, query } = database;
  const works: (() => Promise<unknown>)[] = [
    () => db.guardrail.count(),
    () => db.$queryRaw`SELECT pg_sleep(0.01)::text`,
    () => db.$transaction([db.guardrail.count(), db.key.count()]),
    () =>
      inTransaction(db, async (transaction) => {
        await transaction.guardrail.count();
        await transaction.$queryRaw`SELECT pg_sleep(0.01)::text`;
        return transaction.key.count();
      }),
  ];
  let isOver = false as boolean;
  const statuses = new Set<number | undefined>();
  const failures = new Set<unknown>();
  const repeat = async (work: () => Promise<unknown>) => {
    while (!isOver)
      await work().catch((error: unknown) => {
        const failure = storeFailure(error);
        statuses.add(failure?.status);
        if (!failure) failures.add(error);
        return sleep(5);
      });
  };
  const running = works.flatMap((work) => [repeat(work), repeat(work)]);
  const scripts = (async () => {
    while (!isOver) await query("SELECT 1; SELECT 2").catch(() => sleep(1));
  })();
  for (let count = 0; count < 3; count++) await server.restart({ isCrash, pauseMs: 100 });
  isOver = true;
  await Promise.all([...running, scripts]);
  expect([...failures]).toEqual([]);
  expect([...statuses]).toEqual([502]);
  expect(await db.guardrail.count()).toBe(0);
});

/** Makes every insert into a table fail as on a full disk, until the returned function is called, or to the test's end. */
async function fillDisk({ context: { db } }: World, table: string): Promise<() => Promise<unknown>> {
  await db.$executeRawUnsafe(
    `CREATE FUNCTION fill_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`,
  );
  await db.$executeRawUnsafe(`CREATE TRIGGER fill_disk BEFORE INSERT ON ${table} EXECUTE FUNCTION fill_disk()`);
  const empty = () => db.$executeRawUnsafe("DROP FUNCTION IF EXISTS fill_disk CASCADE");
  onTestFinished(async () => void (await empty()));
  return empty;
}

async function send(operation: "create" | "list", keyText: string): Promise<Response> {
  const headers = { authorization: `Bearer ${keyText}`, "content-type": "application/json" };
  const url = "http://localhost/v1/guardrails";
  return operation === "list"
    ? handle(listGuardrails, guardrails.list)(new Request(url, { headers }), {})
    : handle(createGuardrail, guardrails.create)(
        new Request(url, { method: "POST", headers, body: JSON.stringify({ name: "G" }) }),
        {},
      );
}

const answerOf = async (response: Response) => [
  response.status,
  response.headers.get("retry-after"),
  await response.json(),
];
const failed = (reason: string) => [
  502,
  "1",
  { error: { code: 502, message: "Provider returned error", metadata: { reason } } },
];

it.each([
  [
    false,
    (text: string) =>
      expect(JSON.parse(text)).toEqual({
        error: {
          code: 502,
          message: "Provider returned error",
          metadata: { reason: "store_full", generation_id: expect.stringMatching(/^gen-/) as string },
        },
      }),
  ],
  [
    true,
    (text: string) => {
      expect(text).toContain('"error":{"code":502,');
      expect(text).not.toContain("[DONE]");
    },
  ],
])("an answer that can't be recorded fails, streamed %s", async (stream, check) => {
  const world = await testWorld();
  const opened = await testDatabase();
  Object.assign(globalThis, { __signalbox: Promise.resolve({ db: opened.client, database: opened }) });
  await createSandbox(opened.client, world.organizationId, new Date());
  const { text } = await createKey(world);
  await fillDisk(world, "generations");
  const body = { model: "sandbox/echo", messages: [{ role: "user", content: "Hello" }], stream };
  const response = await handle(createChatCompletion, gateway.createChatCompletion)(
    new Request("http://localhost/v1/chat/completions", {
      method: "POST",
      headers: { authorization: `Bearer ${text}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
    {},
  );
  check(await response.text());
});

it("an edit on a full disk answers 502, and the process isn't ready for five seconds", async () => {
  const world = await testWorld();
  const opened = await testDatabase();
  Object.assign(globalThis, { __signalbox: Promise.resolve({ db: opened.client, database: opened }) });
  const { text } = await createKey(world, { kind: "management" });
  expect((await readiness()).status).toBe(200);
  const empty = await fillDisk(world, "guardrails");
  expect(await answerOf(await send("create", text))).toEqual(failed("store_full"));
  await empty();
  expect(await answerOf(await readiness())).toEqual([503, null, { status: "database can't write" }]);
  await vi.waitUntil(async () => (await readiness()).ok, { timeout: 60_000, interval: 100 });
  expect((await send("create", text)).status).toBe(201);
});

it("a list and the metrics without their database answer 502", async () => {
  Object.assign(globalThis, { __signalbox: Promise.resolve({ db: database.client, database }) });
  await server.stop();
  expect(await answerOf(await send("list", newKeyText("management")))).toEqual(failed("store_unreachable"));
  const headers = { authorization: `Bearer ${newKeyText("management")}` };
  const metrics = await readMetrics(new Request("http://localhost/metrics", { headers }), new Date());
  expect(await answerOf(metrics)).toEqual(failed("store_unreachable"));
  expect(await answerOf(await readiness())).toEqual([503, null, { status: "database unreachable" }]);
});

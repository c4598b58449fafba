import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { beforeAll, expect, it, vi } from "vitest";
import { PrismaClient } from "../../../prisma/generated/client";
import { handle } from "../../server/handle";
import { newKeyText } from "../../platform/key-text";
import { createKey } from "../../testing/factories";
import { createGeneration } from "../../testing/generations";
import { startPostgres } from "../../testing/postgres";
import { testWorld } from "../../testing/test-context";
import { getGenerationContent } from "./contract";
import * as content from "./service";

beforeAll(() => {
  vi.stubEnv("SIGNALBOX_SECRET_KEY", Buffer.alloc(32, 7).toString("base64"));
  vi.stubEnv("SIGNALBOX_LOG_LEVEL", "silent");
});

/** Reads a generation's content through the API, with the given database. */
async function read(db: unknown, keyText: string, id: string): Promise<Response> {
  Object.assign(globalThis, { __signalbox: Promise.resolve({ db }) });
  const headers = { authorization: `Bearer ${keyText}` };
  return handle(getGenerationContent, content.get)(
    new Request(`http://localhost/v1/generation/content?id=${id}`, { headers }),
    { params: {} },
  );
}

it("a content read that waits for a lock beyond its limit answers 524", async () => {
  const world = await testWorld();
  const id = await createGeneration(world, { content: {} });
  const { text } = await createKey(world, { kind: "management" });
  const { db } = world.context;
  const answer = await db.$transaction?.(
    async (transaction) => {
      await transaction.$executeRaw`LOCK TABLE generation_contents IN ACCESS EXCLUSIVE MODE`;
      return read(db, text, id);
    },
    { timeout: 30_000 },
  );
  expect(answer?.status).toBe(524);
});

it("a content read from a stopped server answers 502", async () => {
  const server = await startPostgres();
  const pool = new pg.Pool({ connectionString: server.url("postgres") });
  pool.on("error", () => undefined);
  const db = new PrismaClient({ adapter: new PrismaPg(pool) });
  await db.$queryRaw`SELECT 1`;
  await server.stop();
  const answer = await read(db, newKeyText("management"), `gen-1700000000-${"a".repeat(20)}`);
  expect([answer.status, await answer.json()]).toEqual([
    502,
    { error: { code: 502, message: "Provider returned error", metadata: { reason: "store_unreachable" } } },
  ]);
  await db.$disconnect();
});

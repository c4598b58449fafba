import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import * as guardrails from "../features/guardrails/service";
import { openPostgres, type OpenDatabase } from "../platform/database/open";
import { uuidv7 } from "../platform/ids";
import { findKeyCaller } from "../records/keys/credentials-store";
import { updateKey } from "../records/keys/contract";
import * as keys from "../records/keys/service";
import { createGuardrail } from "../records/guardrails/contract";
import { createKey } from "../testing/factories";
import { createGeneration } from "../testing/generations";
import { missingPgbouncer, startPgbouncer } from "../testing/pgbouncer";
import { TEMPLATE } from "../testing/postgres.setup";
import { createDatabase, testWorld, type World } from "../testing/test-context";
import { handle } from "./handle";

if (missingPgbouncer) process.stdout.write(`Skipped: ${missingPgbouncer}\n`);

describe.skipIf(missingPgbouncer !== null)("behind PgBouncer in transaction mode", () => {
  let server: string;
  let pooler: Awaited<ReturnType<typeof startPgbouncer>>;
  /** With the server's own address for notifications, and without. */
  const opened: OpenDatabase[] = [];
  let world: World;

  beforeAll(async () => {
    vi.stubEnv("SIGNALBOX_SECRET_KEY", Buffer.alloc(32, 7).toString("base64"));
    vi.stubEnv("SIGNALBOX_LOG_LEVEL", "silent");
    server = await createDatabase(inject("postgresUrl"), TEMPLATE);
    pooler = await startPgbouncer(server);
    const url = `${pooler.url}?pgbouncer=true`;
    opened.push(await openPostgres(url, { directUrl: server }), await openPostgres(url));
    world = await testWorld({ db: opened[0]?.client as World["context"]["db"] });
  });
  afterAll(async () => {
    for (const { close } of opened) await close();
    await pooler.stop();
  });

  it.each([0, 1])(
    "a change of policy applies at once in its process and soon in the other, changed by process %d",
    async (index) => {
      const [own, other] = [opened[index], opened[1 - index]];
      if (!own || !other) throw new Error("not open");
      Object.assign(globalThis, { __signalbox: Promise.resolve({ db: own.client, database: own }) });
      const { text: management } = await createKey(world, { kind: "management" });
      const { hash, text } = await createKey(world);
      const patch = handle(updateKey, keys.update);
      const callerOn = ({ client }: OpenDatabase) => findKeyCaller(client, text, new Date());
      for (const isDisabled of [true, false, true, false, true]) {
        await callerOn(own);
        await callerOn(other);
        const answer = await patch(
          new Request(`http://localhost/v1/keys/${hash}`, {
            method: "PATCH",
            headers: { authorization: `Bearer ${management}`, "content-type": "application/json" },
            body: JSON.stringify({ disabled: isDisabled }),
          }),
          { params: { hash } },
        );
        expect(answer.status, await answer.text()).toBe(200);
        expect((await callerOn(own)) === null).toBe(isDisabled);
        await vi.waitUntil(async () => ((await callerOn(other)) === null) === isDisabled, {
          timeout: 20_000,
          interval: 20,
        });
      }
    },
  );

  it("statements, transactions and records share a few sessions without a failure", async () => {
    const create = handle(createGuardrail, guardrails.create);
    const { text: management } = await createKey(world, { kind: "management" });
    const { id: keyId } = await createKey(world);
    const works = Array.from({ length: 60 }, (_, count) => async () => {
      const database = opened[count % 2] as OpenDatabase;
      const { client: db } = database;
      const context = { ...world.context, db };
      await createGeneration({ ...world, context }, { keyId });
      await db.key.findUnique({ where: { id: keyId } });
      await db.$transaction(async (transaction) => {
        await transaction.guardrail.count({ where: { workspaceId: world.workspaceId } });
        await transaction.guardrail.create({
          data: { id: uuidv7(new Date()), workspaceId: world.workspaceId, name: `made ${count}` },
        });
      });
      await db.$queryRaw`SELECT ${1}::int AS one`;
      const answer = await create(
        new Request("http://localhost/v1/guardrails", {
          method: "POST",
          headers: { authorization: `Bearer ${management}`, "content-type": "application/json" },
          body: JSON.stringify({ name: `sent ${count}` }),
        }),
        {},
      );
      expect(answer.status, await answer.text()).toBe(201);
    });
    await Promise.all(works.map((work) => work()));
    const { client: db } = opened[0] as OpenDatabase;
    expect(await db.generation.count({ where: { keyId } })).toBe(60);
    expect(await db.guardrail.count({ where: { workspaceId: world.workspaceId } })).toBe(120);
  });

  it("migrates on the server itself, and says so if its address isn't given", async () => {
    const empty = await createDatabase(inject("postgresUrl"));
    const url = `${Object.assign(new URL(pooler.url), { pathname: new URL(empty).pathname }).href}?pgbouncer=true`;
    await expect(openPostgres(url)).rejects.toThrow("Set SIGNALBOX_DIRECT_DATABASE_URL");
    const { appliedMigrations, close } = await openPostgres(url, { directUrl: empty });
    expect(appliedMigrations.length).toBeGreaterThan(0);
    await close();
  });
});

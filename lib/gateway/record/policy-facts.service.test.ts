import { beforeEach, describe, expect, it } from "vitest";
import { createSandbox } from "../../server/bootstrap";
import type { Context } from "../../platform/context";
import type { CreateGuardrailBody } from "../../records/guardrails/contract";
import { purgeExpired } from "../../features/retention/service";
import { createKey, keyCaller } from "../../testing/factories";
import { guardKey } from "../../testing/guardrails";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { PolicyFacts } from "./policy-facts";
import * as inference from "../service";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let world: World;
let key: { id: string; hash: string };

beforeEach(async () => {
  world = await testWorld();
  await createSandbox(world.context.db, world.organizationId, NOW);
  key = await createKey(world);
});

const guard = (fields: Partial<CreateGuardrailBody>) => guardKey(world, key, fields);

async function send(
  input: string,
  {
    now = NOW,
    db = world.context.db,
    ...fields
  }: { now?: Date; db?: Context["db"]; model?: string; provider?: object } = {},
) {
  const context: Context = { ...world.context, db, now, headers: new Headers(), caller: keyCaller(world, key.id) };
  await inference
    .createResponse(context, {
      params: {},
      query: {},
      body: ResponsesBody.parse({ model: "sandbox/echo", input, ...fields }),
    })
    .catch(() => undefined);
  const row = await world.context.db.generation.findFirstOrThrow({
    where: { id: context.headers.get("x-generation-id") ?? "" },
  });
  return { row, facts: PolicyFacts.parse(row.policyFacts) };
}

const snapshots = () =>
  world.context.db.catalogueSnapshot.findMany({ where: { organizationId: world.organizationId } });

/** Returns the statements that a request writes. */
async function writesOf(input: string, now: Date): Promise<number> {
  let writes = 0;
  const db = new Proxy(world.context.db, {
    get: (target, name) => {
      if (name === "$executeRaw" || name === "$executeRawUnsafe") writes += 1;
      return Reflect.get(target, name) as unknown;
    },
  });
  await send(input, { now, db });
  await send(input, { now, db });
  const before = writes;
  await send(input, { now, db });
  return writes - before;
}

describe("the facts of a decision", () => {
  it("are stored with every generation, without any content", async () => {
    const id = await guard({
      content_filters: [
        { pattern: "XYZ-[0-9]+", label: "[CODE]", action: "redact" },
        { pattern: "secret", action: "block" },
      ],
    });
    const { facts } = await send("about XYZ-1", { provider: { sort: "price" } });
    expect(facts).toMatchObject({
      layers: [{ scope: "key", guardrail_id: id, revision: 1 }],
      models: ["sandbox/echo"],
      preferences: { sort: "price" },
      matched: [{ rule: expect.stringMatching(/^pattern:/) }],
    });
    expect(JSON.stringify(facts)).not.toMatch(/XYZ|secret/);
    const [snapshot] = await snapshots();
    expect(facts.catalogue).toEqual([snapshot?.hash]);
    expect(snapshot?.endpoints).toMatchObject([{ model: { slug: "sandbox/echo" }, provider: { slug: "sandbox" } }]);

    const blocked = await send("a secret");
    expect(blocked.row.status).toBe("blocked");
    expect(blocked.facts).toMatchObject({ catalogue: facts.catalogue, matched: [{}] });
    const unserved = await send("Hello", { model: "nobody/serves" });
    expect(unserved.facts).toMatchObject({ models: ["nobody/serves"], catalogue: [], matched: [] });
  });

  it("store the endpoints once, and again only after a catalogue change", async () => {
    const first = await send("Hello");
    expect((await send("Hello")).facts.catalogue).toEqual(first.facts.catalogue);
    expect(await snapshots()).toHaveLength(1);
    await world.context.db.endpoint.updateMany({
      where: { model: { organizationId: world.organizationId, slug: "sandbox/echo" } },
      data: { pricePrompt: "7" },
    });
    expect((await send("Hello")).facts.catalogue).not.toEqual(first.facts.catalogue);
    expect(await snapshots()).toHaveLength(2);
  });

  it("need no separate statement when nothing has changed", async () => {
    const known = await writesOf("Hello", NOW);
    await world.context.db.catalogueSnapshot.deleteMany({ where: { organizationId: world.organizationId } });
    // Remembered by the process, so neither written nor queried again.
    await send("Hello");
    expect(known).toBe(1);
  });

  it("outlive the content and are deleted with the metadata; a snapshot is deleted with its last generation", async () => {
    const { db } = world.context;
    await db.workspace.update({
      where: { id: world.workspaceId },
      data: { contentRetentionDays: 1, metadataRetentionDays: 10 },
    });
    const { row } = await send("Hello");
    await purgeExpired(db, new Date(NOW.getTime() + 5 * DAY_MS));
    expect((await db.generation.findFirstOrThrow({ where: { id: row.id } })).policyFacts).not.toBeNull();
    expect(await snapshots()).toHaveLength(1);
    await send("Hello", { now: new Date(NOW.getTime() + 9 * DAY_MS), model: "sandbox/reasoner" });
    await purgeExpired(db, new Date(NOW.getTime() + 12 * DAY_MS));
    expect((await snapshots()).map(({ endpoints }) => endpoints)).toMatchObject([
      [{ model: { slug: "sandbox/reasoner" } }],
    ]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { explain } from "../../features/replay/why-service";
import * as contentAccess from "../../features/content-access/service";
import { previews } from "../../features/content-access/previews-service";
import { record } from "../../gateway/record/record-store";
import { newAccumulated } from "../../engine/protocols/accumulate";
import type { Context } from "../../platform/context";
import { inTransaction } from "../../platform/database/transaction";
import { Bucket, S3Failure } from "../../platform/outbound/s3";
import { newGenerationId } from "../../platform/ids";
import { startObjectStorage, type ObjectStorage } from "../../testing/object-storage";
import { outcomeOf } from "../../testing/outcomes";
import { NOW, testWorld, type World } from "../../testing/test-context";
import * as generations from "../generations/service";
import { GenerationFilters } from "../generations/contract";
import { contentKey, findContentKey, resealContentKeys } from "./keys-store";
import { markContents, moveContents } from "./move-store";
import { loadContents } from "./objects-store";
import { removeObjects } from "./removal-store";
import { CONTENTS, openObject, sealObject } from "./sealed-object";
import { sweepObjects } from "./sweep-store";

const DAY_MS = 24 * 60 * 60_000;
const { signal } = new AbortController();
const LONG = `begin ${"word ".repeat(2_000)}end of a long prompt`;

let storage: ObjectStorage;
beforeAll(async () => {
  storage = await startObjectStorage();
});
afterAll(() => storage.close());

/**
 * A world whose contents are stored in the bucket. With changed settings, it begins without a pause after a failure.
 */
async function worldWithBucket(changes: Partial<ObjectStorage["settings"]> = {}): Promise<World> {
  const world = await testWorld();
  const settings = {
    ...world.context.settings,
    contentStore: "s3" as const,
    contentBucket: { ...storage.settings, ...changes },
  };
  return { ...world, context: { ...world.context, settings } };
}

async function recorded(context: Context, prompt = "a secret prompt", answer = "a secret answer"): Promise<string> {
  const id = newGenerationId(context.now);
  const accumulated = { ...newAccumulated(), content: answer, reasoning: "thought" };
  const messages = [{ role: "user" as const, content: prompt }];
  await record(context, outcomeOf({ id, accumulated, prompt: { messages, blocked: null } }));
  return id;
}

const rowOf = ({ db }: Context, id: string) => db.generationContent.findFirst({ where: { generationId: id } });
const read = async (context: Context, id: string) =>
  (await contentAccess.get(context, { params: {}, body: undefined, query: { id, reveal: "true", reason: "test" } }))
    .data;
const keysOf = async ({ organizationId }: World) =>
  (await storage.keys()).filter((key) => key.startsWith(`${CONTENTS}${organizationId}/`));

describe("contents in an object storage", () => {
  it("are encrypted objects by organization and day, read as those of the database", async () => {
    const world = await worldWithBucket();
    const id = await recorded(world.context, LONG);
    const key = `${CONTENTS}${world.organizationId}/2026-11-20/${id}`;
    expect(await keysOf(world)).toEqual([key]);
    const object = await storage.bucket.get(key, 1_000_000, AbortSignal.timeout(10_000));
    expect(object?.toString("latin1")).not.toContain("word");
    const row = await rowOf(world.context, id);
    expect(row).toMatchObject({ storageKey: key, storedBytes: object?.length, reasoning: null, awaitsUpload: null });
    expect(JSON.stringify(row?.input).length).toBeLessThan(2_100);
    expect(await read(world.context, id)).toMatchObject({
      input: { messages: [{ role: "user", content: LONG }] },
      output: { completion: "a secret answer", reasoning: "thought" },
    });
  });

  it("are found by their words and shown in previews without reading objects", async () => {
    const world = await worldWithBucket();
    const id = await recorded(world.context, LONG);
    const context = { ...world.context, settings: { ...world.context.settings, contentBucket: undefined } };
    const found = await generations.list(context, {
      params: {},
      body: undefined,
      query: { ...GenerationFilters.parse({ q: "long prompt secret" }), limit: 10 },
    });
    expect(found.data.map((one) => one.id)).toEqual([id]);
    const { data } = await previews(context, { params: {}, body: undefined, query: { id: [id] } });
    expect(data).toEqual([
      { id, prompt: expect.stringMatching(/^begin word/) as string, completion: "a secret answer" },
    ]);
    await expect(read(context, id)).rejects.toMatchObject({ status: 503 });
  });

  it("are not written for a workspace that logs no contents", async () => {
    const world = await worldWithBucket();
    await world.context.db.workspace.update({ where: { id: world.workspaceId }, data: { contentLogging: false } });
    const id = await recorded(world.context);
    expect(await keysOf(world)).toEqual([]);
    expect(await rowOf(world.context, id)).toBeNull();
  });

  it.each([
    ["wrong credentials", { secretAccessKey: "wrong" }],
    ["an unknown bucket", { bucket: "missing" }],
    ["a service that can't be reached", { endpoint: "http://127.0.0.1:9" }],
  ])("stay in the database with %s, and are moved when it works", async (_, changes) => {
    const world = await worldWithBucket(changes);
    const ids = [await recorded(world.context, LONG), await recorded(world.context)];
    expect(await keysOf(world)).toEqual([]);
    expect(await read(world.context, ids[0] ?? "")).toMatchObject({ input: { messages: [{ content: LONG }] } });
    const settings = { ...world.context.settings, contentBucket: storage.settings };
    const corrected = { ...world.context, settings };
    expect(await moveContents(corrected, signal)).toBeGreaterThanOrEqual(2);
    expect(await keysOf(world)).toHaveLength(2);
    expect(await rowOf(corrected, ids[0] ?? "")).toMatchObject({ awaitsUpload: null, reasoning: null });
    expect(await read(corrected, ids[0] ?? "")).toMatchObject({
      input: { messages: [{ content: LONG }] },
      output: { reasoning: "thought" },
    });
  });

  it("lose no record when the service stops under load", async () => {
    const own = await startObjectStorage();
    const world = await worldWithBucket({ endpoint: own.settings.endpoint });
    const first = await Promise.all(Array.from({ length: 10 }, () => recorded(world.context)));
    const stopping = own.stop();
    const second = await Promise.all(Array.from({ length: 20 }, () => recorded(world.context)));
    await stopping;
    const ids = [...first, ...second];
    const { db } = world.context;
    expect(await db.generation.count({ where: { organizationId: world.organizationId } })).toBe(ids.length);
    await own.start();
    const settings = { ...world.context.settings, contentBucket: { ...own.settings } };
    await moveContents({ ...world.context, settings }, signal);
    const rows = await db.generationContent.findMany({ where: { generationId: { in: ids } } });
    expect(rows).toHaveLength(ids.length);
    expect(rows.filter(({ storageKey }) => storageKey === null)).toEqual([]);
    const contents = await loadContents({ ...world.context, settings }, world.organizationId, rows);
    expect(contents.map((content) => content?.completion)).toEqual(ids.map(() => "a secret answer"));
    await own.close();
  });

  it("are removed with their row, after a failure too", async () => {
    const world = await worldWithBucket();
    const { context } = world;
    const [one, other] = [await recorded(context), await recorded(context)];
    await contentAccess.remove(context, { params: {}, body: undefined, query: { id: one } });
    const settings = { ...context.settings, contentBucket: { ...storage.settings, secretAccessKey: "wrong" } };
    await removeObjects({ ...context, settings }, signal);
    expect(await keysOf(world)).toHaveLength(2);
    await context.db.contentRemoval.updateMany({ data: { dueAt: new Date(0) } });
    await removeObjects(context, signal);
    expect(await keysOf(world)).toEqual([expect.stringContaining(other)]);
    await expect(read(context, one)).rejects.toMatchObject({ status: 404 });
    expect(await read(context, other)).toMatchObject({ output: { completion: "a secret answer" } });
  });

  it("stay when their row moves to another table", async () => {
    const world = await worldWithBucket();
    const { context } = world;
    const id = await recorded(context);
    const row = await rowOf(context, id);
    if (!row) throw new Error("expected a row");
    const place = { createdAt: row.createdAt, generationId: id };
    await context.db.generationContent.delete({ where: { createdAt_generationId: place } });
    await context.db.generationContent.create({
      data: { ...place, input: {}, searchText: "", storageKey: row.storageKey },
    });
    await removeObjects(context, signal);
    expect(await keysOf(world)).toHaveLength(1);
    expect(await context.db.contentRemoval.count({ where: { generationId: id } })).toBe(0);
  });

  it("are swept if a process ended before the record, after a day", async () => {
    const world = await worldWithBucket();
    const { context } = world;
    const id = await recorded(context);
    const orphan = newGenerationId(NOW);
    const key = `${CONTENTS}${world.organizationId}/2026-11-20/${orphan}`;
    await storage.bucket.put(key, new Uint8Array(3), "application/octet-stream", AbortSignal.timeout(10_000));
    await sweepObjects(context, new Date(NOW.getTime() + DAY_MS), signal);
    expect(await keysOf(world)).toHaveLength(2);
    await sweepObjects(context, new Date(NOW.getTime() + 3 * DAY_MS), signal);
    expect(await keysOf(world)).toEqual([expect.stringContaining(id)]);
    await sweepObjects(context, new Date(NOW.getTime() + 30 * DAY_MS), signal);
    expect(await keysOf(world)).toHaveLength(1);
  });

  it("are swept with a dropped partition", async () => {
    const world = await worldWithBucket();
    const { context } = world;
    const id = await recorded(context);
    // Dropping a partition fires no trigger.
    await context.db.generationContent.deleteMany({ where: { generationId: id } });
    await context.db.contentRemoval.deleteMany({ where: { generationId: id } });
    await sweepObjects(context, new Date(NOW.getTime() + 30 * DAY_MS), signal);
    expect(await keysOf(world)).toEqual([]);
  });

  it("can't be read and are swept when their organization is deleted", async () => {
    const world = await worldWithBucket();
    const { context, organizationId } = world;
    await recorded(context);
    await context.db.generation.deleteMany({ where: { organizationId } });
    await context.db.contentRemoval.deleteMany({ where: { storageKey: { contains: organizationId } } });
    await context.db.member.deleteMany({ where: { organizationId } });
    await context.db.workspace.deleteMany({ where: { organizationId } });
    await context.db.organization.delete({ where: { id: organizationId } });
    expect(await context.db.contentKey.count({ where: { organizationId } })).toBe(0);
    await sweepObjects(context, new Date(NOW.getTime() + 3 * DAY_MS), signal);
    expect(await keysOf(world)).toEqual([]);
  });

  it("move from the database when they are marked", async () => {
    const world = await worldWithBucket();
    const { context } = world;
    const id = await recorded({ ...context, settings: { ...context.settings, contentStore: "database" } });
    expect(await keysOf(world)).toEqual([]);
    // A server of the last release deletes only generations and leaves contents.
    const orphan = await recorded({ ...context, settings: { ...context.settings, contentStore: "database" } });
    await context.db.generation.deleteMany({ where: { id: orphan } });
    await markContents(context);
    await moveContents(context, signal);
    expect(await keysOf(world)).toEqual([expect.stringContaining(id)]);
    expect(await read(context, id)).toMatchObject({ output: { completion: "a secret answer" } });
  });

  it("that are missing are reported, and block no explanation that doesn't need them", async () => {
    const world = await worldWithBucket();
    const { context } = world;
    const id = await recorded(context);
    for (const key of await keysOf(world)) await storage.bucket.delete(key, AbortSignal.timeout(10_000));
    await expect(read(context, id)).rejects.toMatchObject({ status: 404, metadata: { cause: "object_missing" } });
    const { data } = await explain(context, { params: {}, body: undefined, query: { id, as_of: "now" } });
    expect(data.generation_id).toBe(id);
  });
});

describe("the key of an organization's contents", () => {
  it("is created once, and survives a rotation of the secret", async () => {
    const { context, organizationId } = await worldWithBucket();
    const { db, settings } = context;
    const keys = await Promise.all([1, 2, 3].map(() => contentKey(db, settings, organizationId)));
    expect(new Set(keys.map((key) => key.toString("hex"))).size).toBe(1);
    const now = { ...settings, secretKey: Buffer.alloc(32, 9), previousSecretKeys: [settings.secretKey] };
    await resealContentKeys(db, now);
    // A transaction doesn't use the process's cache.
    await inTransaction(db, async (fresh) => {
      expect(await findContentKey(fresh, { ...now, previousSecretKeys: [] }, organizationId)).toEqual(keys[0]);
    });
  });

  it("opens an object only at its place and unchanged", () => {
    const key = Buffer.alloc(32, 1);
    const sealed = sealObject(key, "a", Buffer.from("text"));
    expect(openObject(key, "a", sealed).toString()).toBe("text");
    expect(() => openObject(key, "b", sealed)).toThrow();
    expect(() => openObject(Buffer.alloc(32, 2), "a", sealed)).toThrow();
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
    expect(() => openObject(key, "a", sealed)).toThrow();
  });
});

describe("a bucket", () => {
  it("lists keys in order, names the reason of a refusal, and encodes keys", async () => {
    const own = await startObjectStorage();
    const limit = () => AbortSignal.timeout(60_000);
    const odd = "odd/a b+c'(é)*!&.txt";
    await own.bucket.put(odd, Buffer.from("odd"), "text/plain", limit());
    expect((await own.bucket.get(odd, 100, limit()))?.toString()).toBe("odd");
    for (const key of ["a/1", "a/2", "b/1"]) await own.bucket.put(key, new Uint8Array(1), "text/plain", limit());
    expect(await own.bucket.list("a/", "", limit())).toEqual(["a/1", "a/2"]);
    expect(await own.bucket.list("", "a/1", limit())).toEqual(["a/2", "b/1", expect.stringContaining("odd/")]);
    await expect(own.bucket.get(odd, 2, limit())).rejects.toThrow("longer than 2 bytes");
    await own.bucket.delete(odd, limit());
    expect(await own.bucket.get(odd, 100, limit())).toBeNull();
    const wrong = new Bucket({ ...own.settings, secretAccessKey: "wrong" }, { allowPrivate: true });
    const refusal = await wrong.get("x", 1, limit()).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(S3Failure);
    expect(String(refusal)).toBe("S3Failure: The object storage answered 403 SignatureDoesNotMatch");
    await own.close();
  });
});

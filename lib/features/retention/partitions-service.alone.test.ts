import { beforeEach, describe, expect, it } from "vitest";
import { record } from "../../gateway/record/record-store";
import { newGenerationId } from "../../platform/ids";
import type { Query } from "../../platform/database/migrations";
import {
  keepPartitions,
  LOG_TABLES,
  nextBoundary,
  partitionPast,
  partitionsOf,
} from "../../platform/database/partitions";
import { createGeneration } from "../../testing/generations";
import { outcomeOf } from "../../testing/outcomes";
import { testDatabase, testWorld, type World } from "../../testing/test-context";
import { keepLog } from "./partitions-service";

const at = (text: string) => new Date(text.length > 10 ? text : `${text}T12:00:00Z`);
const month = (text: string) => new Date(`${text}-01T00:00:00Z`);

let query: Query;
let world: World;
async function start() {
  ({ query } = await testDatabase());
  world = await testWorld();
  await unpartition();
}

/** Makes the tables of the log empty and unpartitioned, as in earlier versions. */
async function unpartition() {
  for (const table of LOG_TABLES) {
    const { rows } = await query(`
      SELECT format('ALTER TABLE ${table} ADD CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)) AS sql FROM pg_constraint
      WHERE conrelid = '${table}'::regclass AND contype IN ('p', 'c', 'f')
      UNION ALL
      SELECT replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') FROM pg_index WHERE indrelid = '${table}'::regclass AND NOT indisprimary
      UNION ALL
      SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = '${table}'::regclass AND NOT tgisinternal`);
    await query(`CREATE TABLE plain (LIKE ${table} INCLUDING DEFAULTS INCLUDING STORAGE)`);
    await query(`DROP TABLE ${table}`);
    await query(`ALTER TABLE plain RENAME TO ${table}`);
    for (const { sql } of rows) await query(String(sql));
  }
}

/** Records a generation with content and a decision with the recording statement. */
async function write(createdAt: Date): Promise<string> {
  const { context } = world;
  const id = newGenerationId(createdAt);
  const prompt = { messages: [{ role: "user" as const, content: "hi" }], blocked: null };
  await record({ ...context, now: createdAt }, outcomeOf({ id, prompt }));
  return id;
}

const valueOf = async (sql: string) => (await query(`SELECT ${sql} AS value`)).rows[0]?.["value"];
const suffixes = async () => (await partitionsOf(query)).map(({ suffix }) => suffix);
const namesOf = async (table: string) =>
  valueOf(`ARRAY(SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = '${table}'::regclass ORDER BY 1)`);
/** Returns the ranges of the months, which must be contiguous. */
const rangesOf = async () => {
  const partitions = await partitionsOf(query);
  for (const [index, { end }] of partitions.entries()) expect(partitions[index + 1]?.start ?? null).toEqual(end);
  return partitions.map(({ start }) => start?.toISOString().slice(0, 7) ?? null);
};

describe("nextBoundary", () => {
  it.each<[string, Date | null, boolean, Date | null]>([
    ["a new install: the month that runs", null, true, month("2026-11")],
    ["a table in use: a month that nothing is written for yet", null, false, month("2026-12")],
    ["the month that follows", month("2026-12"), true, month("2027-01")],
    ["months enough", month("2027-01"), true, null],
    ["a job that is late: away from what is written", month("2026-09"), false, month("2026-12")],
    ["a job that is late, and nothing written", month("2026-09"), true, month("2026-10")],
  ])("%s", (_name, last, isEmpty, expected) => {
    expect(nextBoundary(last, isEmpty, at("2026-11-20"))).toEqual(expected);
  });

  it("is away from what is written at the end of a month too", () => {
    expect(nextBoundary(null, false, at("2026-11-28"))).toEqual(month("2027-01"));
  });
});

describe("a log that isn't partitioned", () => {
  beforeEach(start);

  it("becomes the first partition as it is, also after an interruption at any statement and beside writers", async () => {
    const now = at("2026-11-10");
    const written = [await write(at("2026-03-01")), await write(now)];
    const [indexes, file] = [await namesOf("generations"), await valueOf("pg_relation_filenode('generations')")];
    let isDone = false;
    let allowed = 0;
    while (!isDone) {
      let left = (allowed += 1);
      const interrupted: Query = async (sql) => {
        if (left === 0) throw new Error("interrupted");
        left -= 1;
        return query(sql);
      };
      const [kept] = await Promise.allSettled([
        keepPartitions(interrupted, now),
        write(now).then((id) => written.push(id)),
      ]);
      isDone = kept.status === "fulfilled";
      if (kept.status === "rejected") expect(kept.reason).toEqual(new Error("interrupted"));
    }
    expect(allowed).toBeGreaterThan(8);
    expect(await rangesOf()).toEqual([null, "2026-12"]);
    written.push(await write(now), await write(at("2026-12-24")));
    const where = { id: { in: written } };
    expect(await world.context.db.generation.count({ where: { ...where, contentStored: true } })).toBe(written.length);
    for (const table of LOG_TABLES) {
      expect(await valueOf(`(SELECT relkind = 'p' FROM pg_class WHERE oid = '${table}'::regclass)`)).toBe(true);
      expect(await valueOf(`(SELECT bool_and(indisvalid) FROM pg_index WHERE indrelid = '${table}'::regclass)`)).toBe(
        true,
      );
    }
    expect(await valueOf("pg_relation_filenode('generations_before')")).toBe(file);
    expect(await namesOf("generations")).toEqual(indexes);
    expect(((await namesOf("generations_before")) as string[]).length).toBe((indexes as string[]).length);
    expect(await valueOf("(SELECT count(*)::int FROM pg_constraint WHERE conname LIKE 'within%')")).toBe(0);
  });

  it("keeps the rights of other roles", async () => {
    await write(at("2026-11-10"));
    await query("GRANT SELECT ON decisions TO PUBLIC");
    await keepPartitions(query, at("2026-11-10"));
    expect(await valueOf("(SELECT relacl::text FROM pg_class WHERE relname = 'decisions')")).toMatch(/[{,]=r\//);
  });
});

describe("partitions", () => {
  beforeEach(start);

  it("of a log in use are made by several processes at once", async () => {
    await write(at("2026-11-10"));
    await Promise.all(Array.from({ length: 4 }, () => keepPartitions(query, at("2026-11-20"))));
    expect(await rangesOf()).toEqual([null, "2026-12", "2027-01"]);
    expect(await valueOf("(SELECT count(*)::int FROM pg_constraint WHERE conname LIKE 'within%')")).toBe(0);
    await write(at("2027-06-01"));
  });

  it("are made by two processes at once, ahead of time, and late", async () => {
    await Promise.all([keepPartitions(query, at("2026-11-10")), keepPartitions(query, at("2026-11-10"))]);
    expect(await suffixes()).toEqual(["before", "2026_11", "after"]);
    await keepPartitions(query, at("2026-11-20"));
    expect(await suffixes()).toEqual(["before", "2026_11", "2026_12", "after"]);
    const late = await write(at("2027-04-02"));
    await keepPartitions(query, at("2027-04-03"));
    expect(await rangesOf()).toEqual([null, "2026-11", "2026-12", "2027-01", "2027-05"]);
    expect(await valueOf("(SELECT id FROM generations_2027_01)")).toBe(late);
  });

  it("are analysed rarely, unless an operator chose otherwise", async () => {
    await keepPartitions(query, at("2026-11-22"));
    await query("ALTER TABLE decisions_after SET (autovacuum_analyze_scale_factor = 0.01)");
    await query("ALTER TABLE generations_after RESET (autovacuum_analyze_scale_factor)");
    await keepPartitions(query, at("2026-11-22"));
    const { rows } = await query(`
      SELECT relname, reloptions[1] AS option, ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = pg_class.oid AND attstattarget = 0 ORDER BY 1) AS unread
      FROM pg_class WHERE relname ~ '_(before|after)$' AND relispartition AND relkind = 'r' ORDER BY relname`);
    const option = (growth: number) => `autovacuum_analyze_scale_factor=${growth}`;
    expect(rows).toEqual([
      { relname: "decisions_after", option: option(0.01), unread: [] },
      { relname: "decisions_before", option: option(0.2), unread: [] },
      { relname: "generation_contents_after", option: option(0.5), unread: [] },
      { relname: "generation_contents_before", option: option(0.5), unread: [] },
      { relname: "generations_after", option: option(0.2), unread: ["attempts", "policy_facts"] },
      { relname: "generations_before", option: option(0.2), unread: ["attempts", "policy_facts"] },
    ]);
  });

  it("of the past are made for a log that is filled with older rows", async () => {
    await keepPartitions(query, at("2026-11-10"));
    await partitionPast(query, at("2026-08-30"));
    expect(await rangesOf()).toEqual([null, "2026-08", "2026-09", "2026-10", "2026-11", "2026-12"]);
  });
});

describe("retention", () => {
  beforeEach(start);

  const retain = (contentRetentionDays: number | null, metadataRetentionDays: number | null) =>
    world.context.db.workspace.updateMany({ data: { contentRetentionDays, metadataRetentionDays } });
  const counts = async () => {
    const found: unknown[] = [];
    for (const table of LOG_TABLES) found.push(await valueOf(`(SELECT count(*)::int FROM ${table})`));
    return found;
  };
  const decide = (id: string, createdAt: Date) =>
    world.context.db.decision.create({
      data: { createdAt, generationId: id, position: 9, scope: "key", field: "f", action: "flag", spans: [] },
    });

  it("empties and drops what no workspace needs, and nothing else", async () => {
    await keepPartitions(query, at("2026-11-10"));
    await partitionPast(query, at("2026-08-01"));
    for (const day of ["2026-08-10", "2026-09-10", "2026-11-09"]) await decide(await write(at(day)), at(day));
    const all = await counts();

    await retain(null, null);
    await keepLog(query, at("2026-11-10"));
    expect(await counts()).toEqual(all);
    const { organizationId } = world;
    await world.context.db.contentKey.create({ data: { organizationId, ciphertext: "sealed" } });
    await query("UPDATE generation_contents SET storage_key = 'object ' || extract(month FROM created_at)");

    // Part of September is within the retention.
    await retain(60, 80);
    await keepLog(query, at("2026-11-10"));
    expect(await counts()).toEqual([2, 1, 2]);
    const noted = await world.context.db.contentRemoval.findMany({ orderBy: { storageKey: "asc" } });
    expect(noted.map(({ storageKey }) => storageKey)).toEqual(["object 8", "object 9"]);
    expect(await suffixes()).toEqual(["before", "2026_09", "2026_10", "2026_11", "after"]);

    const other = await testWorld();
    await createGeneration(other, { createdAt: at("2026-09-20"), content: {} });
    await retain(10, 10);
    await other.context.db.workspace.update({
      where: { id: other.workspaceId },
      data: { contentRetentionDays: null, metadataRetentionDays: null },
    });
    await keepLog(query, at("2026-11-10"));
    expect((await counts())[1]).toBe(2);
    await other.context.db.workspace.update({
      where: { id: other.workspaceId },
      data: { deletedAt: at("2026-11-10") },
    });
    await keepLog(query, at("2026-11-10"));
    expect(await suffixes()).toEqual(["before", "2026_11", "after"]);
    expect((await counts())[0]).toBe(1);
  });
});

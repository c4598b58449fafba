import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillLargeInstall, PER_TRANSACTION } from "../demo/fill-large-install";
import { getActivity } from "../features/analytics/activity-contract";
import { activity } from "../features/analytics/activity-service";
import { getOverview } from "../features/analytics/contract";
import { overview } from "../features/analytics/service";
import { getUsage } from "../features/analytics/usage-contract";
import { usage } from "../features/analytics/usage-service";
import { addBatch, endOfBatch, ROLLUPS } from "../features/analytics/rollup-store";
import type { Progress } from "../features/analytics/tables";
import { GROUPS } from "../features/analytics/vocabulary";
import { purgeExpired } from "../features/retention/service";
import { listAuditEvents } from "../platform/audit/contract";
import { list as auditEvents } from "../platform/audit/service";
import type { Context } from "../platform/context";
import { inTransaction } from "../platform/database/transaction";
import { listBudgets } from "../records/budgets/contract";
import { list as budgets } from "../records/budgets/list-service";
import { listGenerations } from "../records/generations/contract";
import { list as generations } from "../records/generations/service";
import { listKeys } from "../records/keys/contract";
import { list as keys } from "../records/keys/service";
import { connectionString } from "../testing/large-organization";
import { readsOf, rowsOf } from "../testing/plans";
import { testWorld } from "../testing/test-context";

const [GENERATIONS, KEYS] = [30_000, 500];
const DAYS = 90;
/** A month of which the range has its last days is read as a whole if they are few. */
const MOST_DAYS = 8;

let context: Context;
let client: pg.Client;

beforeAll(async () => {
  const world = await testWorld();
  await fillLargeInstall(await connectionString(), {
    generations: GENERATIONS,
    keys: KEYS,
    guardrails: 50,
    contents: 0.5,
  });
  context = { ...world.context, now: new Date() };
  client = new pg.Client({ connectionString: await connectionString() });
  await client.connect();
  await client.query("SET jit = off");
});
afterAll(() => client.end());

type Declared = { query?: { parse: (query: object) => unknown } | undefined };
type Service = (context: Context, input: never) => Promise<unknown>;

/** Returns the number of rows that each statement of an operation reads. */
async function rowsOfEach(declared: Declared, service: Service, query: object) {
  const statements = await readsOf(() =>
    service(context, { params: {}, body: undefined, query: declared.query?.parse(query) } as never),
  );
  if (statements.length === 0) throw new Error("the operation ran no statement");
  const rows = [];
  for (const statement of statements) rows.push(await rowsOf(client, statement));
  return rows;
}

const total = (read: ReadonlyMap<string, number>, names: RegExp) =>
  [...read].reduce((sum, [name, rows]) => sum + (names.test(name) ? rows : 0), 0);
const count = async (table: string) =>
  Number((await client.query<{ count: string }>(`SELECT count(*) FROM ${table}`)).rows[0]?.count);

/** Number of rows up to which a full scan of a month is the right plan, even for each row of another table. */
const SMALL_TABLE_ROWS = 1000;
async function withoutSmall(read: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> {
  const large = new Map<string, number>();
  for (const [table, rows] of read) if ((await count(table)) > SMALL_TABLE_ROWS) large.set(table, rows);
  return large;
}

/** The key with the most generations. */
async function busiestKey(): Promise<{ hash: string; user_id: string; used: number }> {
  const { rows } = await client.query<{ hash: string; user_id: string; used: number }>(`
    SELECT hash, creator_user_id AS user_id, used FROM keys JOIN (
      SELECT key_id, count(*)::int AS used FROM generations GROUP BY key_id
    ) generations ON key_id = keys.id ORDER BY used DESC LIMIT 1`);
  if (!rows[0]) throw new Error("no keys");
  return rows[0];
}

const SUMS = /^(usage_hours|latency_days|key_days|guardrail_days|rule_days)$/;
/** Groups whose generations are counted. */
const COUNTED = ["preset", "protocol", "end_user", "app"];
/** Groups with latencies of their latest generations. */
const SAMPLED = ["key", "member"];
const IN_PARTS_OF_DAYS = (MOST_DAYS * GENERATIONS) / DAYS;

describe("over 90 days", () => {
  it.each<[string, Declared, Service, object]>([
    ["the overview", getOverview, overview, { range: "90d" }],
    ["usage", getUsage, usage, { range: "90d" }],
    ["the activity", getActivity, activity, {}],
    ...GROUPS.filter((group_by) => ![...COUNTED, ...SAMPLED].includes(group_by)).map(
      (group_by): [string, Declared, Service, object] => [
        `usage by ${group_by}`,
        getUsage,
        usage,
        { group_by, range: "90d" },
      ],
    ),
  ])(
    "%s reads each row of sums at most once in a statement, and generations only of days that are not whole",
    async (_name, declared, service, query) => {
      for (const { read } of await rowsOfEach(declared, service, query)) {
        for (const names of [/^generations/, /^decisions/])
          expect(total(await withoutSmall(read), names)).toBeLessThanOrEqual(IN_PARTS_OF_DAYS);
        for (const [table, rows] of read)
          if (SUMS.test(table)) expect([table, rows <= (await count(table))]).toEqual([table, true]);
      }
    },
  );

  it.each(SAMPLED)("usage by %s reads other generations only for latencies", async (group_by) => {
    const read = await rowsOfEach(getUsage, usage, { range: "90d", group_by });
    const counts = await Promise.all(read.map(async (each) => total(await withoutSmall(each.read), /^generations/)));
    expect(counts.filter((rows) => rows > IN_PARTS_OF_DAYS).length).toBeLessThanOrEqual(1);
  });

  it.each(COUNTED)("usage by %s counts its generations at most once in a statement", async (group_by) => {
    for (const { read } of await rowsOfEach(getUsage, usage, { range: "90d", group_by }))
      expect(total(read, /^generations/)).toBeLessThanOrEqual(1.1 * GENERATIONS);
  });

  it("usage by status reads generations only of hours that are not whole, but for latencies", async () => {
    for (const { read } of await rowsOfEach(getUsage, usage, { range: "90d", group_by: "status" }))
      if (total(read, /^usage_hours/) > 0)
        expect(total(await withoutSmall(read), /^generations/)).toBeLessThanOrEqual((4 * GENERATIONS) / DAYS / 24);
  });
});

it("a batch of the sums reads the generations that it adds, and of the last transaction those that follow", async () => {
  const LIMIT = 500;
  const { organizationId } = context.caller;
  const { rows } = await client.query<Progress>(
    "SELECT recorded_in, id AS generation_id FROM generations ORDER BY recorded_in, id LIMIT 2 OFFSET 10000",
  );
  const nothing = { recorded_in: 0n, generation_id: "" };
  // A first month of a few days would be read as a whole.
  await client.query("SET enable_seqscan = off");
  for (const after of [nothing, rows[0] ?? nothing]) {
    await client.query("SET enable_sort = off");
    const end = endOfBatch(organizationId, after, LIMIT);
    const { read: found } = await rowsOf(client, { text: end.text, values: end.values });
    const [last] = (await client.query<Progress>(end.text, end.values)).rows;
    await client.query("SET enable_sort = on");
    expect(total(found, /^generations/)).toBeLessThanOrEqual(LIMIT + 2 * PER_TRANSACTION);
    for (const rollup of ROLLUPS) {
      const batch = addBatch(rollup, { organizationId, after, last: last ?? nothing, limit: LIMIT });
      await client.query("BEGIN");
      const { read } = await rowsOf(client, { text: batch.text, values: batch.values });
      await client.query("ROLLBACK");
      expect(total(read, /^generations/)).toBeLessThanOrEqual(LIMIT + 2 * PER_TRANSACTION);
    }
  }
  await client.query("SET enable_seqscan = on");
});

it("usage of one key by model reads its generations for latencies, those of models, the ranking and the groups", async () => {
  const { hash, used } = await busiestKey();
  const statements = await rowsOfEach(getUsage, usage, { range: "90d", group_by: "model", key_hash: hash });
  expect(statements.reduce((sum, { read }) => sum + total(read, /^generations/), 0)).toBeLessThanOrEqual(4.3 * used);
});

describe("the log within a time range", () => {
  /** Rows that a page reads. */
  const readBy = async (query: object, names = /^(generations|decisions|generation_contents)/) => {
    const statements = await rowsOfEach(listGenerations, generations, { limit: "20", ...query });
    return statements.reduce((sum, { read }) => sum + total(read, names), 0);
  };
  const MOST = 15 * 21;
  const frequent = async (column: string, table = "generations") => {
    const { rows } = await client.query<{ value: string }>(
      `SELECT ${column}::text AS value FROM ${table} WHERE ${column} IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
    );
    return rows[0]?.value;
  };
  const ago = (days: number) => new Date(context.now.getTime() - days * 24 * 60 * 60_000).toISOString();

  it.each<[string, () => Promise<object>]>([
    ["nothing else", async () => ({})],
    ["a model", async () => ({ model: await frequent("model") })],
    ["a provider", async () => ({ provider: await frequent("provider_slug") })],
    ["a status", async () => ({ status: "failed" })],
    ["a member", async () => ({ user_id: (await busiestKey()).user_id })],
    ["a guardrail", async () => ({ guardrail_id: await frequent("guardrail_id", "decisions") })],
    ["an action", async () => ({ action: "redact" })],
    ["an action and a model", async () => ({ action: "redact", model: await frequent("model") })],
    ["a word of every content", async () => ({ q: "every" })],
    ["a word of every content and a model", async () => ({ q: "every", model: await frequent("model") })],
    ["a word of no content", async () => ({ q: "never" })],
    ["the highest cost", async () => ({ sort: "-cost" })],
    ["an earlier time", async () => ({ from: ago(60), to: ago(50) })],
    ["an earlier time and an action", async () => ({ action: "redact", from: ago(60), to: ago(50) })],
  ])("reads a page by %s", async (_name, query) => {
    expect(await readBy(await query())).toBeLessThanOrEqual(MOST);
  });

  it("by a key reads its generations at most", async () => {
    const { hash, used } = await busiestKey();
    expect(await readBy({ key_hash: hash })).toBeLessThanOrEqual(used + MOST);
  });

  it("by a session reads its generations, whatever the other filter", async () => {
    const { rows } = await client.query<{ session_id: string }>(
      "SELECT session_id FROM generations WHERE session_id IS NOT NULL ORDER BY created_at DESC LIMIT 1 OFFSET 1000",
    );
    for (const other of [{ action: "redact" }, { rule: "secret-[0-9]+" }, { preset_version: "1" }, { q: "every" }])
      expect(await readBy({ session_id: rows[0]?.session_id, ...other })).toBeLessThanOrEqual(MOST);
  });

  it("by two filters that never meet reads at most the generations of the range", async () => {
    const ofRange = await count(`generations WHERE created_at >= '${ago(30)}'`);
    expect(await readBy({ model: "large/model-0", provider: "large-1" })).toBeLessThanOrEqual(ofRange);
    expect(await readBy({ model: "large/model-0", provider: "large-1", from: ago(1) })).toBeLessThan(ofRange / 10);
  });

  it("reads no rollups", async () => {
    const { hash } = await busiestKey();
    for (const query of [
      {},
      { key_hash: hash, model: "large/model-0" },
      { model: "large/model-0", provider: "large-1" },
    ])
      expect(await readBy(query, SUMS)).toBe(0);
  });
});

it("budgets read a few rows for each budget", async () => {
  const statements = await rowsOfEach(listBudgets, budgets, { limit: "50" });
  for (const { read } of statements) expect(total(read, /./)).toBeLessThanOrEqual(5 * KEYS);
});

it("a page of keys counts the requests of each key once, from the last day alone", async () => {
  const page = { limit: "100" };
  const query = (listKeys.query as NonNullable<typeof listKeys.query>).parse(page);
  const { data } = await keys(context, { params: {}, body: undefined, query });
  const requests = data.reduce((sum, key) => sum + key.requests_last_day, 0);
  const statements = await rowsOfEach(listKeys, keys, page);
  expect(requests).toBeGreaterThan(0);
  expect(statements.reduce((sum, { read }) => sum + total(read, /^generations/), 0)).toBe(requests);
  // The rows of the page, and the total.
  for (const { read } of statements) expect(total(read, /^keys$/)).toBeLessThanOrEqual(KEYS + 110);
});

it("the audit log by an action without events reads none", async () => {
  const [page] = await rowsOfEach(listAuditEvents, auditEvents, { action: "member.update" });
  expect(await count("audit_events")).toBeGreaterThan(1_000);
  expect(total(page?.read ?? new Map([["", 1]]), /./)).toBe(0);
});

describe("retention", () => {
  beforeAll(() => client.query("UPDATE workspaces SET content_retention_days = 30"));

  /** Rows of the statements that delete contents, which are rolled back. */
  async function rowsOfPurge(now: Date) {
    const statements = await readsOf(() =>
      inTransaction(context.db, async (db) => {
        await purgeExpired(db, now);
        throw new Error("rolled back");
      }).catch(() => undefined),
    );
    const rows = [];
    for (const statement of statements.filter(({ text }) =>
      text.includes("DELETE FROM generation_contents contents"),
    )) {
      // For a month of few contents, a full scan costs about as much as an index. The cheaper plan depends on the number of its days in
      // the batch.
      await client.query("BEGIN; SET LOCAL enable_seqscan = off");
      rows.push(await rowsOf(client, statement));
      await client.query("ROLLBACK");
    }
    return rows;
  }
  const BATCH = 1_000;

  it("reads a few rows for each expired content", async () => {
    const [first, ...others] = await rowsOfPurge(context.now);
    expect(others.length).toBeGreaterThan(0);
    expect(total(first?.read ?? new Map(), /^generation_contents/)).toBeGreaterThanOrEqual(BATCH);
    // Generations are read by their time range, in which half have contents.
    expect(total(first?.read ?? new Map([["generation", Infinity]]), /^generation/)).toBeLessThanOrEqual(6 * BATCH);
  });

  it("reads nothing of contents within retention", async () => {
    const [only, ...others] = await rowsOfPurge(new Date(context.now.getTime() - DAYS * 24 * 60 * 60_000));
    expect(others).toEqual([]);
    expect(total(only?.read ?? new Map([["generation", 1]]), /^generation/)).toBe(0);
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { createKey } from "../../testing/factories";
import { nodesOf, rowsReadBy, type Explained, type PlanNode } from "../../testing/plan-nodes";
import { NOW, testDatabase, testWorld, type World } from "../../testing/test-context";
import { Prisma } from "../../../prisma/generated/client";
import { encodeCursor } from "../../platform/http/cursor";
import { partitionPast } from "../../platform/database/partitions";
import { uuidv7 } from "../../platform/ids";
import { ListGenerationsQuery } from "./contract";
import { pageQuery, tailQuery } from "./page-store";
import { withRange } from "./range";

let world: World;
let keyHash: string;
const guardrailId = uuidv7(NOW);
const ANALYZED = Prisma.sql`ANALYZE, FORMAT JSON`;
const FIRST_MONTH = new Date("2026-08-01T00:00:00Z");
/** Tables and indexes by the names of their partitions. */
let parents: Map<string, string>;
/** Partitions with rows. */
let filled: string[];

/**
 * Creates many generations of two organizations. Most have the same model and status, and a few have others, so that an
 * index helps a filter.
 */
beforeAll(async () => {
  world = await testWorld();
  const other = await testWorld();
  const { context, organizationId, workspaceId, adminId } = world;
  const { query } = await testDatabase();
  await partitionPast(query, FIRST_MONTH);
  const key = await createKey(world);
  keyHash = key.hash;
  await context.db.$executeRaw`
    INSERT INTO generations (created_at, id, organization_id, workspace_id, key_id, user_id, status, api_type, requested_model, model, provider_slug,
                             streamed, attempts, request_id, session_id, trace_id, external_user, cost_micro_usd, content_stored, recorded_in)
    SELECT at, 'gen-' || floor(extract(epoch FROM at))::bigint || '-' || lpad(n::text, 20, '0'),
           CASE WHEN n % 500 < 50 THEN ${organizationId}::uuid ELSE ${other.organizationId}::uuid END, ${workspaceId}::uuid,
           CASE WHEN n % 500 = 0 THEN ${key.id}::uuid END, CASE WHEN n % 500 = 1 THEN ${adminId} END,
           (CASE WHEN n % 50 = 2 THEN 'failed' ELSE 'succeeded' END)::generation_status, 'responses', 'm/m',
           CASE WHEN n % 50 = 3 THEN 'm/rare' ELSE 'm/m' END, CASE WHEN n % 50 = 4 THEN 'rare' ELSE 'p' END, false, '[]', 'req',
           CASE WHEN n % 50 = 5 THEN 's1' END, CASE WHEN n % 50 = 7 THEN 't1' END, CASE WHEN n % 50 = 8 THEN 'u1' END, CASE WHEN n % 500 = 6 THEN 900000 + n ELSE n % 100 END, true,
           30000 - n
    FROM (SELECT n, ${NOW}::timestamptz - n * interval '5 minutes' AS at FROM generate_series(1, 30000) n) crowd`;
  await context.db.$executeRaw`
    INSERT INTO generation_contents (created_at, generation_id, input, search_text)
    SELECT created_at, id, '{}', CASE WHEN id LIKE '%000' THEN 'penguins swim' ELSE 'nothing much ' || id END FROM generations`;
  await context.db.$executeRaw`
    INSERT INTO decisions (created_at, generation_id, position, scope, guardrail_id, field, action, spans)
    SELECT created_at, id, 0, 'key', CASE WHEN id LIKE '%000' THEN ${guardrailId}::uuid ELSE ${organizationId}::uuid END,
           CASE WHEN id LIKE '%000' THEN 'rare_field' ELSE 'f' END, CASE WHEN id LIKE '%000' THEN 'block' ELSE 'flag' END, '[]' FROM generations`;
  await query("VACUUM ANALYZE generations, generation_contents, decisions, keys");
  const { rows } = await query(`
    SELECT child.relname AS child, parent.relname AS parent, child.relpages > 0 AND child.relkind = 'r' AS is_filled
    FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid JOIN pg_class parent ON parent.oid = inhparent`);
  parents = new Map(rows.map(({ child, parent }) => [String(child), String(parent)]));
  filled = rows.filter(({ is_filled }) => is_filled).map(({ child }) => String(child));
});

/** Query for a page of the default time range, unless the query has another one. */
const pageOf = (query: object) =>
  pageQuery({ organizationId: world.organizationId, userId: null }, withRange(ListGenerationsQuery.parse(query), NOW));
const planOf = (query: object) => plan(pageOf(query));

async function plan(page: Prisma.Sql, options = Prisma.sql`FORMAT JSON`): Promise<PlanNode[]> {
  const rows = await world.context.db.$queryRaw<Explained[]>(Prisma.sql`EXPLAIN (${options}) ${page}`);
  return (rows[0]?.["QUERY PLAN"] ?? []).flatMap(({ Plan }) => nodesOf(Plan));
}

const indexesOf = (nodes: readonly PlanNode[]) => nodes.map((node) => parents.get(node["Index Name"] ?? ""));

/** Partitions of generations that are read as a whole. */
const scanned = (nodes: readonly PlanNode[]) =>
  nodes.filter(
    ({ "Node Type": type, "Relation Name": name = "" }) =>
      type === "Seq Scan" && parents.get(name) === "generations" && filled.includes(name),
  );

/** Partitions of generations that a plan reads, or may read. */
const partitionsIn = (nodes: readonly PlanNode[]) =>
  new Set(nodes.map((node) => node["Relation Name"] ?? "").filter((name) => parents.get(name) === "generations"));

describe("the plan of a page on PostgreSQL", () => {
  it("of an id, and of a time range, has one partition", async () => {
    expect(partitionsIn(await planOf({ q: "gen-1789000000-00000000000000000001" }))).toEqual(
      new Set(["generations_2026_09"]),
    );
    const range = { from: "2026-10-20T05:00:00Z", to: "2026-10-20T06:00:00Z" };
    expect(partitionsIn(await planOf(range))).toEqual(new Set(["generations_2026_10"]));
  });

  it("reads the newest partition only, if it has enough", async () => {
    const nodes = await plan(pageOf({ limit: "50", from: FIRST_MONTH.toISOString() }), ANALYZED);
    const read = nodes.filter((node) => parents.get(node["Relation Name"] ?? "") && node["Actual Loops"] !== 0);
    expect(read.filter((node) => filled.includes(node["Relation Name"] ?? "")).length).toBe(1);
  });

  it.each<[string, object]>([
    ["any", {}],
    ["a decision", { action: "block" }],
    ["words", { q: "penguins" }],
    ["a preset", { preset: "brief" }],
  ])("of %s within the last 30 days has no partition of earlier months", async (_name, query) => {
    const plans = await planOf(query);
    const months = plans.flatMap((node) => /_(\d{4}_\d{2})$/.exec(node["Relation Name"] ?? "")?.[1] ?? []);
    const first = new Date(NOW.getTime() - 30 * 24 * 60 * 60_000).toISOString().slice(0, 7).replace("-", "_");
    expect(months.filter((month) => month < first)).toEqual([]);
    expect(months.length).toBeGreaterThan(0);
  });

  it.each<[string, () => object, string]>([
    ["newest first", () => ({}), "generations_pkey"],
    ["after a cursor", () => ({ cursor: encodeCursor([NOW, "gen-1-00000000000000000000"]) }), "generations_pkey"],
    ["in a time range", () => ({ from: "2026-11-20T05:00:00Z", to: "2026-11-20T06:00:00Z" }), "generations_pkey"],
    ["status", () => ({ status: "failed", limit: "5" }), "generations_organization_id_status_created_at_idx"],
    ["model", () => ({ model: "m/rare", limit: "5" }), "generations_organization_id_model_created_at_idx"],
    ["provider", () => ({ provider: "rare", limit: "5" }), "generations_organization_id_provider_slug_created_at_idx"],
    ["session", () => ({ session_id: "s1", limit: "5" }), "generations_organization_id_session_id_created_at_idx"],
    ["end user", () => ({ end_user: "u1", limit: "5" }), "generations_organization_id_external_user_created_at_idx"],
    ["trace", () => ({ trace_id: "t1", limit: "5" }), "generations_organization_id_trace_id_created_at_idx"],
  ])("%s: follows a single index, and sorts no more than times that are equal", async (_name, query, index) => {
    const nodes = await planOf(query());
    expect(indexesOf(nodes)).toContain(index);
    expect(nodes.map((node) => node["Node Type"])).not.toContain("Sort");
    expect(scanned(nodes)).toEqual([]);
  });

  it.each<[string, () => object]>([
    ["a word in every content", () => ({ q: "much" })],
    [
      "a word in every content, in a time range",
      () => ({ q: "much", from: "2026-11-20T05:00:00Z", to: "2026-11-20T06:00:00Z" }),
    ],
    ["a rare word", () => ({ q: "penguins" })],
    ["a rare word in a time range", () => ({ q: "penguins", to: "2026-11-20T06:00:00Z" })],
    ["a guardrail", () => ({ guardrail_id: guardrailId })],
    ["what a guardrail of few decisions blocked", () => ({ blocked_by: guardrailId })],
    ["what a guardrail of most decisions blocked", () => ({ blocked_by: world.organizationId })],
    ["a key", () => ({ key_hash: keyHash })],
    ["a member", () => ({ user_id: world.adminId })],
    ["an action of most decisions", () => ({ action: "flag" })],
    ["an action of few decisions", () => ({ action: "block" })],
    ["a rule of most decisions", () => ({ rule: "f" })],
    ["a rule and a status", () => ({ rule: "f", status: "succeeded" })],
    ["an action and a status", () => ({ action: "flag", status: "succeeded" })],
    ["a cost that few reach", () => ({ min_cost: "0.92" })],
    ["a cost that most reach", () => ({ min_cost: "0.00001" })],
    ["a status and a cost that few reach", () => ({ status: "succeeded", min_cost: "0.92" })],
    ["a key and a cost", () => ({ key_hash: keyHash, min_cost: "0.00001" })],
  ])("of %s reads a bounded number of rows for each that it returns", async (_name, query) => {
    const limit = 20;
    const nodes = await plan(pageOf({ ...query(), limit: String(limit) }), ANALYZED);
    const read = nodes.filter((node) => node["Relation Name"]).map(rowsReadBy);
    // One of ten generations belongs to the organization, and tables of contents and decisions contain the others',
    // too.
    expect(read.reduce((sum, rows) => sum + rows, 0)).toBeLessThanOrEqual(30 * (limit + 1));
  });

  it("of following uses the record index from the cursor without sorting", async () => {
    const nodes = await plan(
      tailQuery({ organizationId: world.organizationId, userId: null }, { limit: 50 }, [1n, ""], 2n ** 40n),
    );
    expect(indexesOf(nodes)).toContain("generations_organization_id_recorded_in_idx");
    expect(nodes.map((node) => node["Node Type"])).not.toContain("Sort");
  });

  it.each<[string, () => object, string]>([
    ["a guardrail", () => ({ guardrail_id: guardrailId }), "decisions_guardrail_id_created_at_idx"],
    ["words", () => ({ q: "penguins" }), "generation_contents_search_idx"],
    ["the action of a decision", () => ({ action: "block" }), "decisions_action_created_at_generation_id_idx"],
    ["a rule or field", () => ({ rule: "rare_field" }), "decisions_rule_idx"],
    ["a key", () => ({ key_hash: keyHash }), "generations_key_id_created_at_is_byok_cost_micro_usd_idx"],
    [
      "a key and an action",
      () => ({ key_hash: keyHash, action: "flag" }),
      "generations_key_id_created_at_is_byok_cost_micro_usd_idx",
    ],
    ["a member", () => ({ user_id: world.adminId }), "generations_user_id_created_at_idx"],
    ["an id", () => ({ q: "gen-1789000000-00000000000000000001" }), "generations_pkey"],
  ])("%s: starts with an index", async (_name, query, index) => {
    const nodes = await planOf(query());
    expect(indexesOf(nodes)).toContain(index);
    expect(scanned(nodes)).toEqual([]);
  });
});

import pg from "pg";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { GET as listAuditEvents } from "../../../app/v1/audit-events/route";
import { GET as listGenerations } from "../../../app/v1/generations/route";
import { GET as listGuardrailKeyAssignments } from "../../../app/v1/guardrails/[id]/assignments/keys/route";
import { GET as listGuardrailMemberAssignments } from "../../../app/v1/guardrails/[id]/assignments/members/route";
import { GET as listKeyAssignments } from "../../../app/v1/guardrails/assignments/keys/route";
import { GET as listMemberAssignments } from "../../../app/v1/guardrails/assignments/members/route";
import { GET as listGuardrails } from "../../../app/v1/guardrails/route";
import { GET as listKeys } from "../../../app/v1/keys/route";
import { GET as listMembers } from "../../../app/v1/organization/members/route";
import { GET as listPresetVersions } from "../../../app/v1/presets/[slug]/versions/route";
import { GET as listPresets } from "../../../app/v1/presets/route";
import { GET as listWorkspaces } from "../../../app/v1/workspaces/route";
import { fillOrganization, type FilledOrganization } from "../../testing/large-organization";
import { isOfOperation } from "../../testing/statements";
import { testDatabase, testWorld } from "../../testing/test-context";
import type { RouteHandler } from "../../server/handle";

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  Plans?: PlanNode[];
}

interface Statement {
  text: string;
  values: unknown[];
}

/** Number of rows up to which a full scan is the right plan. */
const SMALL_TABLE_ROWS = 1000;

let filled: FilledOrganization;
let crowdedTables: Set<string>;

/**
 * Creates three thousand guardrails and a hundred thousand generations in one organization, beside a much larger one, so that a plan
 * that reads both is wrong for any sample of the rows.
 */
beforeAll(async () => {
  const database = await testDatabase();
  vi.stubEnv("SIGNALBOX_SECRET_KEY", Buffer.alloc(32, 7).toString("base64"));
  vi.stubEnv("SIGNALBOX_RATE_LIMIT_PER_MINUTE", "0");
  Object.assign(globalThis, { __signalbox: Promise.resolve({ db: database.client, database }) });
  await fillOrganization(await testWorld(), 100_000);
  filled = await fillOrganization(await testWorld(), 3000);
  await database.query("VACUUM ANALYZE");
  const { rows } = await database.query(
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples > ${SMALL_TABLE_ROWS}`,
  );
  crowdedTables = new Set(rows.map((row) => String(row["relname"])));
});

/** Calls a route as over HTTP, and returns the statements sent to PostgreSQL. */
async function statementsOf(route: RouteHandler, query: string, params: Record<string, string>): Promise<Statement[]> {
  const spy = vi.spyOn(pg.Client.prototype, "query");
  try {
    const request = new Request(`http://localhost/v1/x?${query}`, {
      headers: { authorization: `Bearer ${filled.keyText}` },
    });
    const answer = await route(request, { params });
    expect(answer.status, await answer.text()).toBe(200);
    const statements = spy.mock.calls.map(([first, second]: unknown[]): Statement => {
      const { text, values } =
        typeof first === "object" && first !== null
          ? (first as Partial<Statement>)
          : { text: String(first), values: undefined };
      return { text: text ?? "", values: values ?? (Array.isArray(second) ? second : []) };
    });
    return statements.filter(({ text }) => isOfOperation(text));
  } finally {
    spy.mockRestore();
  }
}

/** Returns the large tables that a statement scans completely. */
async function scansOf({ text, values }: Statement, client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ "QUERY PLAN": { Plan: PlanNode }[] }>(`EXPLAIN (FORMAT JSON) ${text}`, values);
  const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
  const nodes = (rows[0]?.["QUERY PLAN"] ?? []).flatMap(({ Plan }) => flatten(Plan));
  const scanned = nodes.filter((node) => node["Node Type"] === "Seq Scan").map((node) => node["Relation Name"] ?? "");
  return scanned.filter((table) => crowdedTables.has(table)).map((table) => `${table}: ${text}`);
}

const isSelect = ({ text }: Statement) => /^\s*(SELECT|WITH)\b/i.test(text);
const pages = ["limit=1", "limit=50", "limit=100", "limit=50&offset=300", "limit=50&offset=2700"];
const cursors = ["limit=1", "limit=50", "limit=100"];

const lists: readonly [
  name: string,
  route: RouteHandler,
  queries: readonly string[],
  params?: () => Record<string, string>,
][] = [
  ["GET /guardrails", listGuardrails, pages],
  ["GET /guardrails/assignments/keys", listKeyAssignments, pages],
  ["GET /guardrails/assignments/members", listMemberAssignments, pages],
  ["GET /guardrails/{id}/assignments/keys", listGuardrailKeyAssignments, pages, () => ({ id: filled.guardrailId })],
  [
    "GET /guardrails/{id}/assignments/members",
    listGuardrailMemberAssignments,
    pages,
    () => ({ id: filled.guardrailId }),
  ],
  ["GET /keys", listKeys, pages],
  ["GET /organization/members", listMembers, pages],
  ["GET /workspaces", listWorkspaces, pages],
  ["GET /presets", listPresets, pages],
  ["GET /presets/{slug}/versions", listPresetVersions, pages, () => ({ slug: filled.presetSlug })],
  ["GET /generations", listGenerations, cursors],
  [
    "GET /generations of a key and a status",
    listGenerations,
    cursors.map((page) => `${page}&status=failed&model=m/rare`),
  ],
  ["GET /audit-events", listAuditEvents, cursors],
];

describe.each(lists)("%s in a large organization", (_name, route, queries, params = () => ({})) => {
  it("sends the same statements for every page, and finds rows by index", async () => {
    const client = new pg.Client({ connectionString: filled.connectionString });
    await client.connect();
    const counts = new Set<number>();
    const scans = new Set<string>();
    for (const query of queries) {
      const statements = await statementsOf(route, query, params());
      counts.add(statements.length);
      for (const statement of statements.filter(isSelect))
        for (const scan of await scansOf(statement, client)) scans.add(scan);
    }
    await client.end();
    expect([...scans]).toEqual([]);
    expect([...counts]).toHaveLength(1);
    expect(Math.max(...counts)).toBeLessThanOrEqual(8);
  });
});

import pg from "pg";
import { vi } from "vitest";
import { nodesOf, rowsReadBy, type Explained, type PlanNode } from "./plan-nodes";

/** A statement as sent to PostgreSQL. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** Runs an operation; returns the statements that read tables or delete rows. */
export async function readsOf(operation: () => Promise<unknown>): Promise<Statement[]> {
  const spy = vi.spyOn(pg.Client.prototype, "query");
  try {
    await operation();
    const statements = spy.mock.calls.map(([first, second]: unknown[]): Statement => {
      const { text, values } = (typeof first === "string" ? { text: first, values: second } : first) as Statement;
      return { text, values: Array.isArray(values) ? values : [] };
    });
    return statements.filter(
      ({ text }) =>
        /^\s*(SELECT|WITH|DELETE)\b/i.test(text) &&
        (!text.includes("pg_current_snapshot") || /^\s*WITH\s+position\b/.test(text)),
    );
  } finally {
    spy.mockRestore();
  }
}

/**
 * Returns the number of rows that a statement reads from each table, including filtered ones, the number of returned
 * rows, and its plan nodes.
 */
export async function rowsOf(
  client: pg.Client,
  { text, values }: Statement,
): Promise<{ read: Map<string, number>; returned: number; nodes: PlanNode[] }> {
  const { rows } = await client.query<Explained>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
  const [plan] = rows[0]?.["QUERY PLAN"] ?? [];
  if (!plan) throw new Error("no plan");
  const read = new Map<string, number>();
  const nodes = nodesOf(plan.Plan);
  for (const node of nodes) {
    const table = node["Relation Name"];
    if (table !== undefined) read.set(table, (read.get(table) ?? 0) + rowsReadBy(node));
  }
  return { read, returned: plan.Plan["Actual Rows"] ?? 0, nodes };
}

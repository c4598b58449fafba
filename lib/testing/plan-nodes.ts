/** A node of a PostgreSQL plan, as `EXPLAIN (ANALYZE, FORMAT JSON)` returns it. */
export interface PlanNode {
  "Node Type": string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  "Relation Name"?: string;
  "Index Name"?: string;
  /** With the option `BUFFERS`. */
  "Shared Hit Blocks"?: number;
  "Shared Read Blocks"?: number;
  Plans?: PlanNode[];
}

/** The result of `EXPLAIN` for one statement. */
export interface Explained {
  "QUERY PLAN": [{ Plan: PlanNode }];
}

/** Returns a node and all below it. */
export const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Returns the number of rows that a node reads, including the rows that it then filters out. */
export const rowsReadBy = (node: PlanNode): number =>
  ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0)) *
  (node["Actual Loops"] ?? 1);

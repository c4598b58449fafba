/** A step of a plan of PostgreSQL, as `EXPLAIN (ANALYZE, FORMAT JSON)` returns it. */
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

/** The answer to `EXPLAIN` of one statement. */
export interface Explained {
  "QUERY PLAN": [{ Plan: PlanNode }];
}

/** A step and all below it. */
export const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Number of rows that a step reads, those that it then leaves out too. */
export const rowsReadBy = (node: PlanNode): number =>
  ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0)) *
  (node["Actual Loops"] ?? 1);

import type { GenerationFilters } from "../../records/generations/contract";
import type { Scope } from "../../records/generations/page-store";
import { HOUR_MS, type Span } from "./spans";
import { DAY_MS, type Group } from "./vocabulary";

/** A position in the order of recording. */
export interface Progress {
  recorded_in: bigint;
  generation_id: string;
}

/** The generations to count. */
export interface Counted extends Span {
  scope: Scope;
  filters: Omit<GenerationFilters, "q" | "from" | "to">;
  /** Start of the previous period, which ends at `from`; null without one. */
  previousFrom: Date | null;
  /** Null for a single bucket. */
  bucketSeconds: number | null;
  /** The position up to which the rollup tables are complete; without it, they aren't used. */
  progress: Progress | null;
}

type Dimension = Group | "other";

/** Rollup tables with their dimensions. */
const DIMENSIONS = {
  usage_hours: ["workspace", "status", "model", "provider"],
  latency_days: ["workspace", "status", "model", "provider"],
  key_days: ["workspace", "status", "key", "tag", "member"],
  guardrail_days: ["workspace", "status", "guardrail"],
  rule_days: ["workspace", "member"],
} as const satisfies Record<string, readonly Dimension[]>;
export type Table = keyof typeof DIMENSIONS;

export const unitOf = (table: Table) => (table === "usage_hours" ? HOUR_MS : DAY_MS);

const DIMENSION_OF_FILTER: Record<keyof Counted["filters"], Dimension> = {
  workspace_id: "workspace",
  status: "status",
  model: "model",
  provider: "provider",
  key_hash: "key",
  tag: "tag",
  user_id: "member",
  protocol: "protocol",
  guardrail_id: "guardrail",
  preset: "preset",
  rule: "other",
  action: "other",
  blocked_by: "other",
  preset_version: "other",
  session_id: "other",
  trace_id: "other",
  request_id: "other",
  end_user: "end_user",
  app: "app",
  min_cost: "other",
  max_cost: "other",
};

function filteredBy({ scope, filters }: Counted): Dimension[] {
  const names = Object.keys(DIMENSION_OF_FILTER) as (keyof Counted["filters"])[];
  const given = names.filter((name) => filters[name] !== undefined).map((name) => DIMENSION_OF_FILTER[name]);
  const member: Dimension[] = scope.userId === null ? [] : ["member"];
  const workspace: Dimension[] = scope.workspaceIds === undefined ? [] : ["workspace"];
  return [...given, ...member, ...workspace];
}

/** True if a table has all dimensions of the filters and groups. */
export function hasDimensions(table: Table, of: Counted, by: readonly Group[]): boolean {
  // With rows of several guardrails, a request would count more than once.
  const guardrails = [of.filters.guardrail_id ?? []].flat().length + (by.includes("guardrail") ? 1 : 0);
  const dimensions: readonly Dimension[] = DIMENSIONS[table];
  return guardrails <= 1 && [...filteredBy(of), ...by].every((dimension) => dimensions.includes(dimension));
}

/** Returns the rollup table for a query; null if its generations must be counted. */
export const tableOf = (of: Counted, by: readonly Group[]): Table | null =>
  (["usage_hours", "key_days", "guardrail_days"] as const).find((table) => hasDimensions(table, of, by)) ?? null;

import type { GenerationFilters } from "../../records/generations/contract";
import type { Scope } from "../../records/generations/page-store";
import type { Progress } from "./rollup-store";
import type { Grain, Span } from "./spans-policy";
import type { Busy } from "./subjects-store";
import type { Group } from "./vocabulary";

/** Generations that are added up. */
export interface Counted extends Span {
  scope: Scope;
  filters: Omit<GenerationFilters, "q" | "from" | "to">;
  /** Generations since then and before `from` are of the previous period; null without one. */
  previousFrom: Date | null;
  /** Null for a single bucket. */
  bucketSeconds: number | null;
  /** Position up to which the rollups are complete. Later generations are counted one by one; all of them without a position. */
  progress: Progress | null;
  /** The key or member of the filters, if rollups of its own have all of both periods. */
  busy?: Busy | null;
}

export type Table =
  | "usage_rollups"
  | "member_rollups"
  | "tag_rollups"
  | "preset_rollups"
  | "key_rollups"
  | "subject_rollups"
  | "latency_rollups"
  | "subject_latency_rollups";
type Dimension = Group | "other";

/** Dimensions of each table. A guardrail is one in which a generation may have several values: see `isRolledUp`. */
export const DIMENSIONS: Record<Table, readonly Dimension[]> = {
  usage_rollups: ["workspace", "status", "model", "provider", "guardrail"],
  member_rollups: ["workspace", "status", "member"],
  tag_rollups: ["workspace", "status", "tag"],
  preset_rollups: ["workspace", "status", "model", "provider", "protocol", "preset"],
  key_rollups: ["workspace", "status", "key", "tag", "member"],
  subject_rollups: ["workspace", "status", "model", "provider", "protocol", "preset", "guardrail"],
  latency_rollups: ["workspace", "status", "model", "provider"],
  subject_latency_rollups: ["workspace", "status"],
};

/** Tables of sums with the grains that have all of their dimensions, those with the fewest rows first. */
const SUM_GRAINS = {
  usage_rollups: ["hour", "day"],
  member_rollups: ["day", "week"],
  tag_rollups: ["day", "week"],
  preset_rollups: ["day", "week"],
  key_rollups: ["day", "week"],
  subject_rollups: ["day"],
} as const satisfies Partial<Record<Table, readonly Grain[]>>;
type SumTable = keyof typeof SUM_GRAINS;
const SUM_TABLES = Object.keys(SUM_GRAINS) as SumTable[];

/**
 * The grains of a table that can be read. Hours of presets, hours of all guardrails together and weeks of guardrails have the sums of all models and
 * providers together.
 */
export function grainsOf(
  table: SumTable,
  of: Counted,
  by: readonly Group[],
  { isOfEachGuardrail }: { isOfEachGuardrail: boolean },
): readonly Grain[] {
  const dimensions = new Set([...filteredBy(of, table), ...by]);
  const isOfAllModels = !dimensions.has("model") && !dimensions.has("provider");
  if (table === "usage_rollups" && dimensions.has("guardrail")) {
    if (!isOfAllModels) return ["day"];
    return isOfEachGuardrail ? ["hour", "day", "week"] : ["day", "week"];
  }
  return table === "preset_rollups" && isOfAllModels ? ["hour", "day", "week"] : SUM_GRAINS[table];
}

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
  min_cost: "other",
  max_cost: "other",
};

/** Dimensions of the filters, without the one that chooses among the rows of a table for single keys and members. */
export function filteredBy({ scope, filters, busy }: Counted, table?: Table): Set<Dimension> {
  const names = Object.keys(DIMENSION_OF_FILTER) as (keyof Counted["filters"])[];
  const found = new Set([
    ...names.filter((name) => filters[name] !== undefined).map((name) => DIMENSION_OF_FILTER[name]),
    ...(scope.userId === null ? [] : (["member"] as const)),
  ]);
  if (busy && isOfSubjects(table)) found.delete(busy.dimension);
  return found;
}

export const isOfSubjects = (table: Table | undefined): boolean =>
  table === "subject_rollups" || table === "subject_latency_rollups";

/** The table with the fewest rows that has all dimensions of sums; none if they are counted from generations. */
export const tableOf = (of: Counted, by: readonly Group[]): SumTable | undefined =>
  of.progress === null ? undefined : SUM_TABLES.find((name) => isRolledUp(name, of, by));

/** True if a table has all dimensions that filters and groups need. */
export function isRolledUp(table: Table, of: Counted, by: readonly Group[]): boolean {
  if (isOfSubjects(table) && !of.busy) return false;
  // Rows of several guardrails count the same request more than once.
  const guardrails = [of.filters.guardrail_id ?? []].flat().length + (by.includes("guardrail") ? 1 : 0);
  return (
    guardrails <= 1 && [...filteredBy(of, table), ...by].every((dimension) => DIMENSIONS[table].includes(dimension))
  );
}

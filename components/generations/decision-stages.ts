import type { Decision, Generation } from "@/lib/records/generations/contract";

export type StageName = "preset" | "guardrails" | "filters" | "candidates" | "budgets" | "upstream" | "settle";

export interface Stage {
  name: StageName;
  decisions: readonly Decision[];
  /** "stopped" marks the stage where the request ended; later stages are "not reached". */
  state: "passed" | "stopped" | "not reached";
}

const FILTERS: ReadonlySet<string> = new Set(["content_filter_builtins", "content_filters", "external_checks", "judges"]);
const isFilter = ({ field }: Decision) => FILTERS.has(field);
const isBudget = ({ field }: Decision) => field === "limit_usd";

const ORDER: readonly StageName[] = ["preset", "guardrails", "filters", "candidates", "budgets", "upstream", "settle"];

/** The stages a request went through, derived from its record. */
export function stagesOf({
  status,
  decisions,
  attempts,
}: Pick<Generation, "status" | "decisions" | "attempts">): Stage[] {
  const own: Partial<Record<StageName, Decision[]>> = {
    filters: decisions.filter(isFilter),
    budgets: decisions.filter(isBudget),
    candidates: decisions.filter((decision) => !isFilter(decision) && !isBudget(decision)),
  };
  const stoppedAt = stopOf(status, own, attempts.length);
  const last = stoppedAt === null ? ORDER.length : ORDER.indexOf(stoppedAt);
  return ORDER.map((name, index) => ({
    name,
    decisions: own[name] ?? [],
    state: index < last ? "passed" : index === last ? "stopped" : "not reached",
  }));
}

function stopOf(
  status: Generation["status"],
  own: Partial<Record<StageName, Decision[]>>,
  attempts: number,
): StageName | null {
  const stageWith = (stopping: string) => ORDER.find((name) => own[name]?.some(({ action }) => action === stopping));
  if (status === "blocked") return stageWith("block") ?? "candidates";
  if (status === "failed") return attempts > 0 ? "upstream" : (stageWith("error") ?? "candidates");
  return null;
}

import { isBudgetDecision } from "@/lib/engine/budgets/vocabulary";
import type { Decision } from "@/lib/engine/decision/contract";
import type { Generation } from "@/lib/records/generations/contract";

export type StageName =
  | "preset"
  | "guardrails"
  | "filters"
  | "candidates"
  | "checks"
  | "budgets"
  | "upstream"
  | "answer"
  | "settle";

export interface Stage {
  name: StageName;
  decisions: readonly Decision[];
  /** "stopped" marks the stage where the request ended; later stages are "not reached". */
  state: "passed" | "stopped" | "not reached";
}

const FILTERS: ReadonlySet<string> = new Set(["content_filter_builtins", "content_filters"]);
export const isFilter = ({ field }: Pick<Decision, "field">): boolean => FILTERS.has(field);
/** True for a decision of an external check or model judge. */
export const isCheck = ({ field }: Pick<Decision, "field">): boolean =>
  field === "external_checks" || field === "judges";
/** True for a decision of a guardrail that only observes. */
export const isObserved = ({ action }: Pick<Decision, "action">): boolean => action.startsWith("would_");
const isAboutAnswer = ({ direction }: Decision) => direction === "response";
/** True for a decision about an endpoint, which its rule names. */
export const isRouting = (decision: Pick<Decision, "field">): boolean =>
  !isFilter(decision) && !isCheck(decision) && !isBudgetDecision(decision);

const ORDER: readonly StageName[] = [
  "preset",
  "guardrails",
  "filters",
  "candidates",
  "checks",
  "budgets",
  "upstream",
  "answer",
  "settle",
];
/** Stages that are listed only with decisions. */
const OPTIONAL: ReadonlySet<StageName> = new Set(["checks", "answer"]);

/** The stages a request went through, derived from its record. */
export function stagesOf({
  status,
  decisions,
  attempts,
}: Pick<Generation, "status" | "decisions" | "attempts">): Stage[] {
  const before = decisions.filter((decision) => !isAboutAnswer(decision));
  const own: Partial<Record<StageName, Decision[]>> = {
    filters: before.filter(isFilter),
    budgets: before.filter(isBudgetDecision),
    checks: before.filter(isCheck),
    candidates: before.filter(isRouting),
    answer: decisions.filter(isAboutAnswer),
  };
  const stoppedAt = stopOf(status, own, attempts.length);
  const last = stoppedAt === null ? ORDER.length : ORDER.indexOf(stoppedAt);
  return ORDER.flatMap((name, index): Stage[] => {
    if (OPTIONAL.has(name) && own[name]?.length === 0) return [];
    // A blocked answer is charged.
    const isPassed = index < last || (name === "settle" && stoppedAt === "answer");
    const state = isPassed ? "passed" : index === last ? "stopped" : "not reached";
    return [{ name, decisions: own[name] ?? [], state }];
  });
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

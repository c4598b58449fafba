import type { AlertFiring } from "./contract";
import type { AlertFilter, AlertKind } from "./vocabulary";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

type Requests = AlertFiring["requests"];

interface Fired {
  kind: AlertKind;
  workspaceId: string | null;
  windowMinutes: number;
  filters: Partial<Record<AlertFilter, string>>;
  /** Identifies the budget, provider or model; empty for a rule with one measurement. */
  subject: string;
  startedAt: Date;
  resolvedAt: Date | null;
}

/** Time before the firing whose requests are measured. Budgets have their own period; a day of it is shown. */
const measuredMs = ({ kind, windowMinutes }: Fired): number =>
  kind === "budget" ? DAY_MS : kind === "deprecated_model" ? 7 * DAY_MS : windowMinutes * MINUTE_MS;

/** Filters of the log by the kinds of subjects that have one. */
const BUDGET_FILTERS: Readonly<Record<string, keyof Requests>> = {
  key: "key_hash",
  member: "user_id",
  workspace: "workspace_id",
  model: "model",
  provider: "provider",
};

/** What a firing's subject and kind filter by. `subject` of a budget is "<guardrail, limit or own>/<kind>/<id>". */
function concerned({ kind, subject, filters: { guardrail_id } }: Fired): Requests {
  if (kind === "block_spike") return { status: "blocked", ...(guardrail_id && { blocked_by: guardrail_id }) };
  if (kind === "error_rate") return { status: "failed", ...(guardrail_id && { guardrail_id }) };
  if (subject === "") return {};
  if (kind === "provider_down") return { provider: subject };
  if (kind === "deprecated_model") return { model: subject };
  if (kind !== "budget") return {};
  const [, type = "", ...rest] = subject.split("/");
  const filter = BUDGET_FILTERS[type];
  return filter === undefined || rest.length === 0 ? {} : { [filter]: rest.join("/") };
}

/** Filters of the log that list the requests a firing is about. */
export function requestsOf(fired: Fired): Requests {
  const { workspaceId, filters, startedAt, resolvedAt } = fired;
  const { guardrail_id: _, ...others } = filters;
  return {
    ...(workspaceId !== null && { workspace_id: workspaceId }),
    ...others,
    ...concerned(fired),
    from: new Date(startedAt.getTime() - measuredMs(fired)).toISOString(),
    ...(resolvedAt && { to: resolvedAt.toISOString() }),
  };
}

import { BudgetForecast } from "@/components/budgets/budget-forecast";
import { RaisedNote } from "@/components/budgets/raised-note";
import { ReachedNote } from "@/components/budgets/reached-note";
import { Meter } from "@/components/ui/meter";
import { TextLink } from "@/components/ui/text-link";
import { formatSpend } from "@/components/analytics/measures";
import { formatUsd } from "@/components/ui/usd";
import type { Budget } from "@/lib/records/budgets/contract";

const PERIODS = { daily: "per day", weekly: "per week", monthly: "per month" } as const;

const SUBJECT_NAMES = {
  organization: "Organization",
  workspace: "Workspace",
  tag: "Tag",
  keys: "Keys",
  end_user: "End user",
  model: "Model",
  provider: "Provider",
} as const;

/** Usage of a budget, with a forecast. */
export function BudgetMeter({ budget }: { budget: Budget }) {
  const {
    guardrail_id,
    guardrail_name,
    limit_id,
    limit_name,
    subject,
    limit_usd,
    spent_usd,
    reserved_usd,
    reset_interval,
  } = budget;
  const used = spent_usd + reserved_usd;
  return (
    <div className="grid gap-1">
      <Meter
        label={subject.name}
        value={used}
        max={limit_usd}
        text={`${formatSpend(used)} of ${formatUsd(limit_usd)}${reset_interval ? ` ${PERIODS[reset_interval]}` : ""}`}
      />
      <p className="text-[13px] text-muted">
        <SubjectLink subject={subject} />
        {" · "}
        {limit_id !== null ? (
          <TextLink href={`/budgets?limit=${limit_id}`}>{limit_name ?? "a limit"}</TextLink>
        ) : guardrail_id === null ? (
          "Own limit"
        ) : (
          <TextLink href={`/guardrails/${guardrail_id}`}>{guardrail_name ?? "a guardrail"}</TextLink>
        )}
        . <RaisedNote budget={budget} />
        <ReachedNote alerts={budget.alerts} />
        <BudgetForecast budget={budget} />
      </p>
    </div>
  );
}

/** The kind of a subject, which links to its page if it has one. */
function SubjectLink({ subject: { type, id } }: Pick<Budget, "subject">) {
  if (type === "key") return <TextLink href={`/keys/${id}`}>Key</TextLink>;
  if (type === "member") return <TextLink href={`/members/${id}`}>Member</TextLink>;
  return SUBJECT_NAMES[type];
}

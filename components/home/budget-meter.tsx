import { BudgetForecast } from "@/components/budgets/budget-forecast";
import { RaisedNote } from "@/components/budgets/raised-note";
import { ReachedNote } from "@/components/budgets/reached-note";
import { Meter } from "@/components/ui/meter";
import { TextLink } from "@/components/ui/text-link";
import { formatSpend } from "@/components/analytics/measures";
import { formatUsd } from "@/components/ui/usd";
import type { Budget } from "@/lib/records/budgets/contract";

const PERIODS = { daily: "per day", weekly: "per week", monthly: "per month" } as const;

/** Usage of a budget, with a forecast. */
export function BudgetMeter({ budget }: { budget: Budget }) {
  const { guardrail_id, guardrail_name, subject, limit_usd, spent_usd, reserved_usd, reset_interval } = budget;
  const used = spent_usd + reserved_usd;
  const href = subject.type === "key" ? `/keys/${subject.id}` : `/members/${subject.id}`;
  return (
    <div className="grid gap-1">
      <Meter
        label={subject.name}
        value={used}
        max={limit_usd}
        text={`${formatSpend(used)} of ${formatUsd(limit_usd)}${reset_interval ? ` ${PERIODS[reset_interval]}` : ""}`}
      />
      <p className="text-[13px] text-muted">
        <TextLink href={href}>{subject.type === "key" ? "Key" : "Member"}</TextLink>
        {" · "}
        {guardrail_id === null ? (
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

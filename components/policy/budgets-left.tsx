"use client";
import { useQuery } from "@tanstack/react-query";
import { BudgetForecast } from "@/components/budgets/budget-forecast";
import { RaisedNote } from "@/components/budgets/raised-note";
import { ReachedNote } from "@/components/budgets/reached-note";
import { budgetsQuery } from "@/components/home/budget-queries";
import { DataState } from "@/components/layout/data-state";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { Meter } from "@/components/ui/meter";
import { Skeleton } from "@/components/ui/skeleton";
import { formatSpend } from "@/components/analytics/measures";
import { formatUsd } from "@/components/ui/usd";
import type { Budget } from "@/lib/records/budgets/contract";

/** Remaining amount of every budget that applies to a key or member. */
export function BudgetsLeft({ of }: { of: { key_hash: string } | { user_id: string } }) {
  const budgets = useQuery(budgetsQuery(of));
  return (
    <Card id="budgets" title="Remaining budgets">
      <DataState query={budgets} subject="budgets" skeleton={<Skeleton className="h-12" />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-muted">No spending limits.</p>
          ) : (
            <ul className="grid gap-4">
              {data.map((budget) => (
                <li key={`${budget.guardrail_id ?? budget.limit_id} ${budget.subject.type} ${budget.subject.id}`}>
                  <OneBudget budget={budget} />
                </li>
              ))}
            </ul>
          )
        }
      </DataState>
    </Card>
  );
}

function OneBudget({ budget }: { budget: Budget }) {
  const { guardrail_id, guardrail_name, limit_name, subject, spent_usd, limit_usd, remaining_usd, forecast, alerts } =
    budget;
  return (
    <div className="grid gap-1">
      <Meter
        label={guardrail_name ?? limit_name ?? "Key's own limit"}
        value={spent_usd}
        max={limit_usd}
        text={`${formatSpend(remaining_usd)} of ${formatUsd(limit_usd)} left`}
      />
      <p className="text-[13px] text-muted">
        {guardrail_id === null ? "" : subject.type === "key" ? "Per key. " : `Per member (${subject.name}). `}
        <RaisedNote budget={budget} />
        <ReachedNote alerts={alerts} />
        <span className={cn(forecast.exhausted_at && "text-warning")}>
          <BudgetForecast budget={budget} />
        </span>
      </p>
    </div>
  );
}

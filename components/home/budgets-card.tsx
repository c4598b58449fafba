import type { UseQueryResult } from "@tanstack/react-query";
import { DataState } from "@/components/layout/data-state";
import { useMay } from "@/components/session/user-context";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import type { Answer } from "@/lib/browser/api-client";
import type { listBudgets } from "@/lib/records/budgets/contract";
import { BudgetMeter } from "./budget-meter";

export function BudgetsCard({ query }: { query: UseQueryResult<Answer<typeof listBudgets>> }) {
  const canEdit = useMay("guardrails:write");
  return (
    <Card
      id="budgets"
      title="Budgets closest to their limit"
      description="Current usage, independent of the selected range."
    >
      <DataState query={query} subject="budgets" skeleton={<Skeleton className="h-40" />}>
        {({ data, total_count }) =>
          total_count === 0 ? (
            <p className="text-sm text-muted">
              No spending limits.{canEdit && " Set one on a key or on an assigned guardrail."}
            </p>
          ) : (
            <ul
              aria-label="Budgets closest to their limit"
              className="grid grid-cols-[repeat(auto-fill,minmax(min(22rem,100%),1fr))] gap-x-8 gap-y-4"
            >
              {data.map((budget) => (
                <li key={`${budget.guardrail_id ?? budget.limit_id ?? ""} ${budget.subject.id}`}>
                  <BudgetMeter budget={budget} />
                </li>
              ))}
            </ul>
          )
        }
      </DataState>
    </Card>
  );
}

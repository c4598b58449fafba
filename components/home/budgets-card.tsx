import type { UseQueryResult } from "@tanstack/react-query";
import { DataState } from "@/components/layout/data-state";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import type { Answer } from "@/lib/browser/api-client";
import type { listBudgets } from "@/lib/budgets/contract";
import { BudgetMeter } from "./budget-meter";

export function BudgetsCard({ query }: { query: UseQueryResult<Answer<typeof listBudgets>> }) {
  return (
    <Card
      id="budgets"
      title="Budgets closest to their limit"
      description="With what is left now, whatever range is shown above."
    >
      <DataState query={query} subject="the budgets" skeleton={<Skeleton className="h-40" />}>
        {({ data, total_count }) =>
          total_count === 0 ? (
            <p className="text-sm text-muted">
              No limit is in force: neither a key nor a guardrail that is assigned has one.
            </p>
          ) : (
            <ul aria-label="Budgets closest to their limit" className="grid gap-4">
              {data.map((budget) => (
                <li key={`${budget.guardrail_id ?? ""} ${budget.subject.id}`}>
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

"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { BudgetMeter } from "@/components/home/budget-meter";
import { budgetsQuery } from "@/components/home/budget-queries";
import { DataState } from "@/components/layout/data-state";
import { May } from "@/components/session/may";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { call } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery } from "@/lib/browser/api-query";
import { getGuardrailThresholds, updateGuardrailThresholds } from "@/lib/browser/operations/budgets-thresholds";
import { ThresholdsForm } from "./thresholds-form";

const SHOWN = 5;
const percentList = (percents: readonly number[]) =>
  percents.length === 0 ? "No warnings" : `Warns at ${percents.map((percent) => `${percent}%`).join(", ")}`;

/** Budgets of a guardrail and their warning thresholds. Saves independently of the editor. */
export function GuardrailWarnings({ guardrailId }: { guardrailId: string }) {
  const budgets = useQuery(budgetsQuery({ guardrail_id: guardrailId, limit: SHOWN }));
  return (
    <Card
      id="warnings"
      title="Budgets and warnings"
      description="Remaining budget per key and member. Changes to warnings take effect immediately."
      className="grid gap-5"
    >
      <DataState query={budgets} subject="budgets" skeleton={<Skeleton className="h-16" />}>
        {({ data, total_count }) =>
          total_count === 0 ? (
            <p className="text-muted">No spend yet</p>
          ) : (
            <ul aria-label="Budgets" className="grid gap-4">
              {data.map((budget) => (
                <li key={`${budget.subject.type} ${budget.subject.id}`}>
                  <BudgetMeter budget={budget} />
                </li>
              ))}
              {total_count > data.length && (
                <li className="text-[13px] text-muted">{total_count - data.length} more, further from their limits</li>
              )}
            </ul>
          )
        }
      </DataState>
      <Thresholds guardrailId={guardrailId} />
    </Card>
  );
}

function Thresholds({ guardrailId }: { guardrailId: string }) {
  const thresholds = useQuery(thresholdsQuery(guardrailId));
  const change = useSetThresholds(guardrailId);
  const [isEditing, setEditing] = useState(false);
  const save = (percents: number[] | null) =>
    change.mutate(percents, {
      onSuccess: () => {
        setEditing(false);
        toast.success("Warnings saved");
      },
    });
  return (
    <DataState query={thresholds} subject="warnings" skeleton={<Skeleton className="h-8" />}>
      {({ data }) =>
        isEditing ? (
          <ThresholdsForm
            percents={data.in_force}
            hint="Percent of the limit. Sends a webhook and flags the budget once per period."
            isPending={change.isPending}
            failure={change.error && toFailure(change.error)}
            onSave={save}
          />
        ) : (
          <div className="flex flex-wrap items-center justify-between gap-3 border-t pt-4">
            <p>
              {percentList(data.in_force)}{" "}
              <span className="text-muted">({data.percents ? "custom" : "organization default"})</span>
            </p>
            <May permission="budgets:write">
              <span className="flex flex-wrap gap-2">
                {data.percents && (
                  <Button disabled={change.isPending} onClick={() => save(null)}>
                    Use organization default
                  </Button>
                )}
                <Button onClick={() => setEditing(true)}>Change warnings</Button>
              </span>
            </May>
          </div>
        )
      }
    </DataState>
  );
}

const thresholdsQuery = (guardrailId: string) => apiQuery(getGuardrailThresholds, { params: { id: guardrailId } });

/** Null for the organization's default. */
function useSetThresholds(guardrailId: string) {
  const client = useQueryClient();
  return useApiMutation({
    mutationFn: (percents: number[] | null) =>
      call(updateGuardrailThresholds, { params: { id: guardrailId }, body: { percents } }),
    onSuccess: (answer) => client.setQueryData(thresholdsQuery(guardrailId).queryKey, answer),
  });
}

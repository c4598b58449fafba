"use client";
import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { TimeRangePicker } from "@/components/time-range/time-range-picker";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import { RANGES } from "@/lib/records/generations/vocabulary";
import { EnforceGuardrail } from "./enforce-guardrail";
import { OBSERVED_STATE, observationsQuery } from "./observation-queries";
import { ObservedCounts } from "./observed-counts";

/** Card with the counts of observed decisions. The time range is kept in the URL. */
export function ObservedCard({ guardrail }: { guardrail: Guardrail }) {
  const [state, setState] = useQueryStates(OBSERVED_STATE, { history: "push" });
  const [now] = useState(() => Date.now());
  const query = useQuery(observationsQuery(guardrail.id, state, now));
  return (
    <Card
      id="observed"
      title="Observed"
      description="What this guardrail would have done. Requests pass unchanged."
      action={
        <div className="flex flex-wrap gap-2">
          <TimeRangePicker value={state} presets={RANGES} onChange={(change) => void setState(change)} />
          <EnforceGuardrail guardrail={guardrail} />
        </div>
      }
    >
      <DataState query={query} subject="observations" skeleton={<Skeleton className="h-32" />}>
        {({ data }) => (
          <div aria-busy={query.isPlaceholderData} className="grid gap-4">
            <ObservedCounts guardrailId={guardrail.id} observations={data} />
          </div>
        )}
      </DataState>
    </Card>
  );
}

"use client";
import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { useMay } from "@/components/session/user-context";
import { TimeRangePicker } from "@/components/time-range/time-range-picker";
import { Skeleton } from "@/components/ui/skeleton";
import { MAX_DAYS } from "@/lib/features/analytics/vocabulary";
import { RANGES } from "@/lib/records/generations/vocabulary";
import { FIRST_STEPS_COOKIE, rememberPreference } from "@/lib/browser/preferences";
import { FirstRequest } from "./first-request";
import { FirstSteps } from "./first-steps/first-steps";
import { Overview } from "./overview";
import { newestGenerationQuery } from "./overview-queries";
import { OVERVIEW_STATE } from "./overview-state";

interface HomeProps {
  /** Checklist state stored in the browser. */
  firstSteps: string | undefined;
}

/** The overview, or the onboarding checklist before the first request. */
export function Home({ firstSteps }: HomeProps) {
  const seesAll = useMay("analytics:read");
  const setsUp = useMay("providers:write");
  const [state, setState] = useQueryStates(OVERVIEW_STATE);
  const [isDismissed, setDismissed] = useState(firstSteps === "dismissed");
  const newest = useQuery(newestGenerationQuery);
  const [wasEmpty, setWasEmpty] = useState(false);
  const isEmpty = newest.data?.data.length === 0;
  // After the first request, the checklist stays until it is dismissed.
  if (isEmpty && !wasEmpty) setWasEmpty(true);
  const isFirst = setsUp && !isDismissed && (isEmpty || wasEmpty || firstSteps === "open");
  const isShown = !isEmpty || (setsUp && isDismissed);
  const dismiss = () => {
    rememberPreference(FIRST_STEPS_COOKIE, "dismissed");
    setDismissed(true);
  };
  return (
    <>
      <PageHeader
        title="Overview"
        description={
          seesAll
            ? isFirst
              ? "Send your first guarded request, then connect a provider. Takes a few minutes."
              : "Compared with the previous period."
            : "Your own requests, compared with the previous period."
        }
        action={
          isShown &&
          newest.data && (
            <TimeRangePicker
              value={state}
              presets={RANGES}
              maxDays={MAX_DAYS}
              onChange={(change) => void setState(change)}
            />
          )
        }
      />
      <DataState query={newest} subject="the overview" skeleton={<Skeleton className="h-120" />}>
        {({ data }) => (
          <div className="grid gap-4">
            {isFirst && <FirstSteps hasGenerations={data.length > 0} onDismiss={dismiss} />}
            {isEmpty && !setsUp && <FirstRequest />}
            {isShown && <Overview state={state} onBy={(by) => void setState({ by })} />}
          </div>
        )}
      </DataState>
    </>
  );
}

"use client";
import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { useUser } from "@/components/session/user-context";
import { Skeleton } from "@/components/ui/skeleton";
import { FIRST_STEPS_COOKIE, rememberPreference } from "@/lib/browser/preferences";
import { FirstRequest } from "./first-request";
import { FirstSteps } from "./first-steps/first-steps";
import { Overview } from "./overview";
import { newestGenerationQuery } from "./overview-queries";
import { OVERVIEW_STATE } from "./overview-state";
import { RangeChooser } from "./range-chooser";

interface HomeProps {
  /** What the browser remembers of the checklist. */
  firstSteps: string | undefined;
}

/** The overview; before anything was asked the way to a first request. */
export function Home({ firstSteps }: HomeProps) {
  const { isAdmin } = useUser();
  const [state, setState] = useQueryStates(OVERVIEW_STATE);
  const [isDismissed, setDismissed] = useState(firstSteps === "dismissed");
  const newest = useQuery(newestGenerationQuery);
  const [wasEmpty, setWasEmpty] = useState(false);
  const isEmpty = newest.data?.data.length === 0;
  // A first request ends the emptiness; the checklist that led to it stays until it is dismissed.
  if (isEmpty && !wasEmpty) setWasEmpty(true);
  const isFirst = isAdmin && !isDismissed && (isEmpty || wasEmpty || firstSteps === "open");
  const isShown = !isEmpty || (isAdmin && isDismissed);
  const dismiss = () => {
    rememberPreference(FIRST_STEPS_COOKIE, "dismissed");
    setDismissed(true);
  };
  return (
    <>
      <PageHeader
        title="Overview"
        description={
          isAdmin
            ? isFirst
              ? "Four steps to a request that a guardrail decides about. They take about two minutes."
              : "Trends compare with the time of equal length before."
            : "Your own requests. Trends compare with the time of equal length before."
        }
        action={isShown && newest.data && <RangeChooser state={state} onChange={(change) => void setState(change)} />}
      />
      <DataState query={newest} subject="the overview" skeleton={<Skeleton className="h-120" />}>
        {({ data }) => (
          <div className="grid gap-4">
            {isFirst && <FirstSteps hasGenerations={data.length > 0} onDismiss={dismiss} />}
            {isEmpty && !isAdmin && <FirstRequest />}
            {isShown && <Overview state={state} onBy={(by) => void setState({ by })} />}
          </div>
        )}
      </DataState>
    </>
  );
}

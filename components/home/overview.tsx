"use client";
import { useQuery } from "@tanstack/react-query";
import { coverageQuery } from "@/components/coverage/coverage-queries";
import { DataState } from "@/components/layout/data-state";
import { useUser } from "@/components/session/user-context";
import { useTimeZone } from "@/components/time-range/use-time-zone";
import { Skeleton } from "@/components/ui/skeleton";
import { BREAKDOWNS } from "@/lib/features/analytics/vocabulary";
import { BudgetsCard } from "./budgets-card";
import { CoverageCard } from "./coverage-card";
import { OutcomesCard } from "./outcomes-card";
import { closestBudgetsQuery, overviewQuery } from "./overview-queries";
import { OverviewStats } from "./overview-stats";
import type { OverviewState } from "./overview-state";
import { RulesCard } from "./rules-card";
import { SpendCard } from "./spend-card";

const OF_A_MEMBER = BREAKDOWNS.filter((by) => by !== "member");

/** Activity in the selected range, and what needs attention now. */
export function Overview({ state, onBy }: { state: OverviewState; onBy: (by: OverviewState["by"]) => void }) {
  const { isAdmin } = useUser();
  const { workspace, by } = state;
  const timeZone = useTimeZone(state.zone);
  const overview = useQuery(overviewQuery(state));
  const budgets = useQuery(closestBudgetsQuery(workspace));
  const coverage = useQuery({ ...coverageQuery(workspace), enabled: isAdmin });
  return (
    <div className="grid gap-4">
      <DataState query={overview} subject="the overview" skeleton={<FiguresSkeleton />}>
        {({ data }) => {
          const counted = { workspace, from: data.from, to: data.to };
          return (
            <div className="grid gap-4" aria-busy={overview.isPlaceholderData}>
              <OverviewStats overview={data} counted={counted} />
              <OutcomesCard overview={data} counted={counted} timeZone={timeZone} />
              <div className="grid items-start gap-4 lg:grid-cols-2">
                <SpendCard
                  overview={data}
                  counted={counted}
                  by={by}
                  onBy={onBy}
                  kinds={isAdmin ? BREAKDOWNS : OF_A_MEMBER}
                />
                <RulesCard overview={data} counted={counted} />
              </div>
            </div>
          );
        }}
      </DataState>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <BudgetsCard query={budgets} />
        {isAdmin && <CoverageCard query={coverage} workspace={workspace} />}
      </div>
    </div>
  );
}

function FiguresSkeleton() {
  return (
    <div className="grid gap-4">
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
        {["spend", "requests", "blocked", "failed", "latency"].map((figure) => (
          <Skeleton key={figure} className="h-24" />
        ))}
      </div>
      <Skeleton className="h-80" />
      <div className="grid gap-4 lg:grid-cols-2">
        <Skeleton className="h-80" />
        <Skeleton className="h-80" />
      </div>
    </div>
  );
}

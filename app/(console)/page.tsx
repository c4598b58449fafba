import type { Metadata } from "next";
import { cookies } from "next/headers";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { firingNowQuery } from "@/components/alerts/firing-now";
import { Home } from "@/components/home/home";
import { coverageQuery } from "@/components/coverage/coverage-queries";
import { usageQuery } from "@/components/analytics/analytics-queries";
import {
  closestBudgetsQuery,
  FAILING_PROVIDERS,
  newestGenerationQuery,
  overviewQuery,
  SPIKING_GUARDRAILS,
} from "@/components/home/overview-queries";
import { loadOverviewState } from "@/components/home/overview-state";
import { FIRST_STEPS_COOKIE } from "@/lib/browser/preferences";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage({ searchParams }: PageProps) {
  const state = await loadOverviewState(searchParams);
  return (
    <Prefetch
      queries={[
        newestGenerationQuery,
        overviewQuery(state),
        usageQuery(state),
        usageQuery(state, FAILING_PROVIDERS),
        usageQuery(state, SPIKING_GUARDRAILS),
        closestBudgetsQuery(state.workspace),
        coverageQuery(state.workspace),
        firingNowQuery(state.workspace),
      ]}
    >
      <Home firstSteps={(await cookies()).get(FIRST_STEPS_COOKIE)?.value} />
    </Prefetch>
  );
}

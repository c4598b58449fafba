"use client";
import { useQuery } from "@tanstack/react-query";
import { firingNowQuery } from "@/components/alerts/firing-now";
import { usageQuery } from "@/components/analytics/analytics-queries";
import { coverageQuery } from "@/components/coverage/coverage-queries";
import { exportsQuery } from "@/components/exports/export-queries";
import { webhooksQuery } from "@/components/webhooks/webhook-queries";
import type { Counted } from "@/components/generations/log-link";
import { DataState } from "@/components/layout/data-state";
import { useMay } from "@/components/session/user-context";
import { organizationQuery } from "@/components/settings/settings-queries";
import { useTimeZone } from "@/components/time-range/use-time-zone";
import { Skeleton } from "@/components/ui/skeleton";
import { useNow } from "@/components/ui/use-now";
import { getCoverage } from "@/lib/browser/operations/coverage";
import { BREAKDOWNS } from "@/lib/features/analytics/vocabulary";
import {
  budgetItems,
  coverageItems,
  databaseItems,
  exportItems,
  firingItems,
  webhookItems,
  mostSevere,
  providerItems,
  retirementItems,
  spikeItems,
} from "./attention";
import { AttentionCard } from "./attention-card";
import { BudgetsCard } from "./budgets-card";
import { OutcomesCard } from "./outcomes-card";
import { closestBudgetsQuery, FAILING_PROVIDERS, overviewQuery, SPIKING_GUARDRAILS } from "./overview-queries";
import { OverviewStats } from "./overview-stats";
import type { OverviewState } from "./overview-state";
import { lazyComponent } from "@/components/ui/lazy-component";
import { RulesCard } from "./rules-card";
import { SpendCard } from "./spend-card";

const ChangesCard = lazyComponent(() => import("./changes-card").then((file) => file.ChangesCard), {
  loading: () => <Skeleton className="h-52" />,
});

const OF_A_MEMBER = BREAKDOWNS.filter((by) => by !== "member");

/** Activity in the selected range, and what needs attention now. */
export function Overview({ state, onBy }: { state: OverviewState; onBy: (by: OverviewState["by"]) => void }) {
  const seesAll = useMay("analytics:read");
  const canSeeChanges = useMay("audit:read");
  const { workspace, by } = state;
  const timeZone = useTimeZone(state.zone);
  const overview = useQuery(overviewQuery(state));
  const budgets = useQuery(closestBudgetsQuery(workspace));
  const usage = useQuery(usageQuery(state));
  return (
    <DataState query={overview} subject="the overview" skeleton={<FiguresSkeleton />}>
      {({ data }) => {
        const counted = { workspace, from: data.from, to: data.to };
        return (
          <div className="grid gap-4" aria-busy={overview.isPlaceholderData}>
            <OverviewStats
              overview={data}
              spends={usage.data?.data.series.map(({ spend_usd }) => spend_usd)}
              counted={counted}
            />
            <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
              <div className="xl:order-2">
                <Attention state={state} counted={counted} />
              </div>
              <OutcomesCard overview={data} counted={counted} timeZone={timeZone} />
            </div>
            <div className="grid items-start gap-4 lg:grid-cols-2 2xl:grid-cols-3">
              <SpendCard
                overview={data}
                counted={counted}
                by={by}
                onBy={onBy}
                kinds={seesAll ? BREAKDOWNS : OF_A_MEMBER}
              />
              <RulesCard overview={data} counted={counted} />
              <div className="lg:max-2xl:col-span-2">
                <BudgetsCard query={budgets} />
              </div>
            </div>
            {canSeeChanges && <ChangesCard zone={state.zone} />}
          </div>
        );
      }}
    </DataState>
  );
}

/** Problems of all kinds. Problems that only admins can solve are shown to admins. */
function Attention({ state, counted }: { state: OverviewState; counted: Counted }) {
  const seesAll = useMay("analytics:read");
  const canSeeCoverage = useMay(getCoverage);
  const canSeeOrganization = useMay("organization:read");
  const canSeeAlerts = useMay("alerts:read");
  const { workspace } = state;
  const now = useNow();
  const budgets = useQuery(closestBudgetsQuery(workspace));
  const coverage = useQuery({ ...coverageQuery(workspace), enabled: canSeeCoverage });
  const providers = useQuery({ ...usageQuery(state, FAILING_PROVIDERS), enabled: seesAll });
  const guardrails = useQuery({ ...usageQuery(state, SPIKING_GUARDRAILS), enabled: seesAll });
  const organization = useQuery({ ...organizationQuery, enabled: canSeeOrganization });
  const destinations = useQuery({ ...exportsQuery, enabled: canSeeOrganization });
  const webhooks = useQuery({ ...webhooksQuery, enabled: canSeeOrganization });
  const firings = useQuery({ ...firingNowQuery(workspace), enabled: canSeeAlerts });
  const items = mostSevere(
    firingItems(firings.data?.data ?? []),
    organization.data ? databaseItems(organization.data.data.database) : [],
    coverage.data ? coverageItems(coverage.data.data, workspace) : [],
    coverage.data ? retirementItems(coverage.data.data, workspace, now) : [],
    exportItems(destinations.data?.data ?? []),
    webhookItems(webhooks.data?.data ?? []),
    budgetItems(budgets.data?.data ?? []),
    providerItems(providers.data?.data.groups ?? [], counted),
    spikeItems(guardrails.data?.data.groups ?? [], counted),
  );
  return (
    <AttentionCard
      items={items}
      isLoading={[firings, budgets, coverage, providers, guardrails, organization, destinations, webhooks].some(
        ({ isLoading }) => isLoading,
      )}
      coverage={coverage.data?.data ?? null}
      workspace={workspace}
    />
  );
}

const FiguresSkeleton = () => (
  <div className="grid gap-4">
    <Skeleton className="h-36" />
    <div className="grid gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Skeleton className="h-80 xl:order-2" />
      <Skeleton className="h-80" />
    </div>
    <div className="grid gap-4 lg:grid-cols-2 2xl:grid-cols-3">
      <Skeleton className="h-80" />
      <Skeleton className="h-80" />
    </div>
  </div>
);

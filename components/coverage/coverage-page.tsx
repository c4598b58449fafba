"use client";
import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { DataState, NoAccess } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { useMay } from "@/components/session/user-context";
import { useWorkspaceNames } from "@/components/workspaces/workspace-queries";
import { Skeleton } from "@/components/ui/skeleton";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { getCoverage } from "@/lib/browser/operations/coverage";
import { coverageQuery } from "./coverage-queries";
import { GapPanel } from "./gap-panel";
import { ModelGaps } from "./model-gaps";
import { COVERAGE_STATE, GAP_LABELS, GAPS, rowsOf } from "./gaps";

/** Unprotected keys and members and unused guardrails, with bulk actions. */
export function CoveragePage() {
  const [{ workspace, gap }, setState] = useQueryStates(COVERAGE_STATE);
  const canSee = useMay(getCoverage);
  const coverage = useQuery({ ...coverageQuery(workspace), enabled: canSee });
  const workspaces = useWorkspaceNames();
  const header = (
    <PageHeader
      title="Coverage"
      description="Unprotected keys and members, keys without a limit, unused guardrails, and models that need attention."
    />
  );
  if (!canSee)
    return (
      <>
        {header}
        <NoAccess subject="coverage" permission="guardrails:read" />
      </>
    );
  return (
    <>
      {header}
      <DataState query={coverage} subject="coverage" skeleton={<Skeleton className="h-96" />}>
        {({ data }) => (
          <>
            <Tabs
              label="Gaps"
              value={gap}
              onChange={(next) => void setState({ gap: next })}
              items={GAPS.map((value) => ({ value, label: GAP_LABELS[value].tab, count: rowsOf(value, data).total }))}
            >
              {GAPS.map((value) => (
                <TabPanel key={value} value={value}>
                  <GapPanel key={workspace} gap={value} {...rowsOf(value, data)} workspaces={workspaces} />
                </TabPanel>
              ))}
            </Tabs>
            <ModelGaps coverage={data} workspace={workspace} />
          </>
        )}
      </DataState>
    </>
  );
}

import type { Metadata } from "next";
import { createLoader } from "nuqs/server";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { CoveragePage } from "@/components/coverage/coverage-page";
import { coverageQuery } from "@/components/coverage/coverage-queries";
import { COVERAGE_STATE } from "@/components/coverage/gaps";
import { workspacesQuery } from "@/components/workspaces/workspace-queries";

export const metadata: Metadata = { title: "Coverage" };

const loadState = createLoader(COVERAGE_STATE);

export default async function Page({ searchParams }: PageProps) {
  const { workspace } = await loadState(searchParams);
  return (
    <Prefetch queries={[coverageQuery(workspace), workspacesQuery]}>
      <CoveragePage />
    </Prefetch>
  );
}

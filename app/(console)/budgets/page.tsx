import type { Metadata } from "next";
import { Prefetch } from "@/app/prefetch";
import { BudgetsPage } from "@/components/limits/budgets-page";
import { allBudgetsQuery, allLimitsQuery } from "@/components/limits/limit-queries";
import { workspacesQuery } from "@/components/workspaces/workspace-queries";

export const metadata: Metadata = { title: "Budgets" };

export default function Page() {
  return (
    <Prefetch queries={[allLimitsQuery, allBudgetsQuery, workspacesQuery]}>
      <BudgetsPage />
    </Prefetch>
  );
}

"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus, Wallet } from "lucide-react";
import { useQueryStates } from "nuqs";
import { DataState, isForbidden } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { May } from "@/components/session/may";
import { useMay } from "@/components/session/user-context";
import { createLimit } from "@/lib/browser/operations/limits";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { lazyComponent } from "@/components/ui/lazy-component";
import { Skeleton } from "@/components/ui/skeleton";
import { workspacesQuery } from "@/components/workspaces/workspace-queries";
import { allBudgetsQuery, allLimitsQuery, LIMIT_STATE, NEW_LIMIT } from "./limit-queries";
import { SpendBranches } from "./spend-branches";
import { spendTree } from "./spend-tree";

const LimitSheet = lazyComponent(() => import("./limit-sheet").then((file) => file.LimitSheet));
const NewLimit = lazyComponent(() => import("./limit-sheet").then((file) => file.NewLimit));

/** Who may spend what, what is left, and which limit is reached first. */
export function BudgetsPage() {
  const [{ limit }, setState] = useQueryStates(LIMIT_STATE, { history: "push" });
  const limits = useQuery(allLimitsQuery);
  const budgets = useQuery(allBudgetsQuery);
  const workspaces = useQuery(workspacesQuery);
  const canRead = !isForbidden(limits);
  const canWrite = useMay(createLimit);
  const open = (id: string) => void setState({ limit: id });
  const close = () => void setState({ limit: null });
  const create = (
    <May permission={createLimit}>
      <Button variant="primary" onClick={() => open(NEW_LIMIT)}>
        <Plus aria-hidden /> New limit
      </Button>
    </May>
  );
  return (
    <>
      <PageHeader
        title="Budgets"
        description="Who may spend and send how much, and what is left. Several limits can apply to a request; the tightest one decides."
        action={canRead && create}
      />
      <DataState query={limits} subject="limits" skeleton={<Skeleton className="h-64" />}>
        {(listed) => (
          <DataState query={budgets} subject="budgets" skeleton={<Skeleton className="h-64" />}>
            {({ data, total_count }) => {
              if (workspaces.isPending) return <Skeleton className="h-64" />;
              const branches = spendTree(listed.data, data, workspaces.data?.data ?? []);
              return branches.length === 0 ? (
                <EmptyState icon={Wallet} title="No limits yet" action={create} isHeaderAction>
                  Limit what workspaces, tags, members, keys, end users, models or providers may spend, or how many
                  requests and tokens they may use.
                </EmptyState>
              ) : (
                <SpendBranches branches={branches} hidden={total_count - data.length} onOpen={open} />
              );
            }}
          </DataState>
        )}
      </DataState>
      {canWrite && limit === NEW_LIMIT && <NewLimit onClose={close} onCreated={open} />}
      {canRead && limit !== null && limit !== NEW_LIMIT && <LimitSheet key={limit} id={limit} onClose={close} />}
    </>
  );
}

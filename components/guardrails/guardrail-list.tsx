"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus, ShieldCheck } from "lucide-react";
import { useState } from "react";
import Link from "next/link";
import { LIST_STATE } from "@/components/layout/list-state";
import { PageHeader } from "@/components/layout/page-header";
import { ResourceList, useListState } from "@/components/layout/resource-list";
import { useMay } from "@/components/session/user-context";
import { sessionQuery } from "@/components/session/session-queries";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { useWorkspaceNames } from "@/components/workspaces/workspace-queries";
import { usePageRouter } from "@/lib/browser/page-router";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import { Badge } from "@/components/ui/badge";
import type { Column } from "@/components/ui/data-table";
import { Meter } from "@/components/ui/meter";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { formatUsd, formatWholeCents } from "@/components/ui/usd";
import type { Budget } from "@/lib/records/budgets/contract";
import { DeleteGuardrail } from "./delete-guardrail";
import { guardrailListQuery } from "./guardrail-queries";
import { useClosestBudget, useGuardrailUse, type GuardrailUse } from "./guardrail-use";
import { assignedTo } from "./assigned-to";
import { GuardrailMenu } from "./guardrail-menu";
import { budgetText, summarize } from "./guardrail-summary";

export function GuardrailList() {
  const router = usePageRouter();
  const canEdit = useMay("guardrails:write");
  const canSeeWorkspaces = useMay("workspaces:read");
  const { state, list } = useListState(LIST_STATE);
  const { workspace } = state;
  const guardrails = useQuery(guardrailListQuery(state));
  const session = useQuery(sessionQuery);
  const [toDelete, setToDelete] = useState<Guardrail | null>(null);
  const holdersOf = useGuardrailUse(workspace, guardrails.data?.data.map(({ id }) => id) ?? []);
  const budgetOf = useClosestBudget(workspace);
  const workspaces = useWorkspaceNames(canSeeWorkspaces);
  const columns = guardrailColumns({
    vendors: session.data?.zdr_vendors,
    holdersOf,
    budgetOf,
    workspaces: workspace === null && workspaces.size > 1 ? workspaces : null,
    onDelete: setToDelete,
  });
  const createLink = canEdit && (
    <LinkButton variant="primary" href={workspace ? `/guardrails/new?workspace=${workspace}` : "/guardrails/new"}>
      <Plus aria-hidden /> New guardrail
    </LinkButton>
  );
  return (
    <>
      <PageHeader
        title="Guardrails"
        description="Control which models keys and members can use, what they can send, and how much they can spend."
        action={createLink}
      />
      <ResourceList
        label="Guardrails"
        subject="guardrails"
        query={guardrails}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        searchCovers="Search covers guardrail names and descriptions."
        onOpen={({ id }) => router.push(`/guardrails/${id}`)}
        empty={
          <EmptyState icon={ShieldCheck} title="No guardrails yet" action={createLink} isHeaderAction>
            A guardrail restricts models and providers, requires zero data retention, filters content and limits
            spending. It is enforced once assigned to a key or member.
          </EmptyState>
        }
      />
      <DeleteGuardrail guardrail={toDelete} onClose={() => setToDelete(null)} />
    </>
  );
}

interface ColumnContext {
  vendors: readonly string[] | undefined;
  /** Undefined while loading. */
  holdersOf: (id: string) => GuardrailUse | undefined;
  budgetOf: (id: string) => Budget | undefined;
  /** Names by ID; null for a list of one workspace. */
  workspaces: ReadonlyMap<string, string> | null;
  onDelete: (guardrail: Guardrail) => void;
}

const guardrailColumns = ({
  vendors,
  holdersOf,
  budgetOf,
  workspaces,
  onDelete,
}: ColumnContext): Column<Guardrail>[] => [
  {
    id: "name",
    header: "Name",
    sortKey: "name",
    className: "md:w-[24%]",
    cell: ({ id, name, description, mode }) => (
      <div className="grid content-center pr-8 md:h-10 md:pr-0">
        <span className="flex items-center gap-2">
          <Link
            href={`/guardrails/${id}`}
            title={name}
            className="line-clamp-1 font-medium break-all after:absolute after:inset-0"
          >
            {name}
          </Link>
          {mode === "observe" && <Badge tone="accent">Observes</Badge>}
        </span>
        {description && (
          <span title={description} className="line-clamp-1 text-[13px] break-all text-muted">
            {description}
          </span>
        )}
      </div>
    ),
  },
  {
    id: "restricts",
    header: "Restricts",
    className: "md:w-[26%]",
    cell: (guardrail) => {
      const summary = summarize(guardrail, vendors) ?? (guardrail.limit_usd === null ? "Nothing" : "Spending only");
      return (
        <span title={summary} className="line-clamp-2 wrap-anywhere text-muted">
          {summary}
        </span>
      );
    },
  },
  ...(workspaces === null
    ? []
    : [
        {
          id: "workspace",
          header: "Workspace",
          cell: ({ workspace_id }: Guardrail) => workspaces.get(workspace_id) ?? "–",
        },
      ]),
  { id: "assigned_to", header: "Assigned to", cell: ({ id }) => <Assigned use={holdersOf(id)} /> },
  {
    id: "limit_usd",
    header: "Budget",
    sortKey: "limit_usd",
    className: "md:w-52 md:whitespace-nowrap",
    cell: (guardrail) => <BudgetUse guardrail={guardrail} budget={budgetOf(guardrail.id)} />,
  },
  {
    id: "updated_at",
    header: "Updated",
    sortKey: "updated_at",
    className: "md:whitespace-nowrap",
    cell: ({ updated_at, created_at }) => <RelativeTime at={updated_at ?? created_at} />,
  },
  {
    id: "created_at",
    header: "Created",
    sortKey: "created_at",
    className: "md:whitespace-nowrap",
    isHiddenAtFirst: true,
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
  {
    id: "actions",
    header: "Actions",
    isControl: true,
    cell: (guardrail) => <GuardrailMenu guardrail={guardrail} onDelete={onDelete} />,
  },
];

function Assigned({ use }: { use: GuardrailUse | undefined }) {
  if (!use) return <Skeleton className="h-5 w-24" />;
  const holders = assignedTo(use);
  if (!holders && !use.is_default) {
    return (
      <Badge tone="warning">
        Unassigned<span className="sr-only">, not enforced</span>
      </Badge>
    );
  }
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5">
      {holders}
      {use.is_default && <Badge tone="accent">Workspace default</Badge>}
    </span>
  );
}

/** Below a limit of one cent, rounding to cents would hide the spend. */
const CENT_USD = 0.01;

/** The limit, and the usage of the budget closest to it. */
function BudgetUse({ guardrail, budget }: { guardrail: Guardrail; budget: Budget | undefined }) {
  const limit = budgetText(guardrail);
  if (limit === null) return <span className="text-muted">No limit</span>;
  if (!budget) return <span className="tabular-nums">{limit}</span>;
  return (
    <div className="grid gap-1 md:min-w-32">
      <span className="flex flex-wrap gap-x-2 tabular-nums">
        <span>{limit}</span>
        <span className="text-[13px] text-muted">
          {(budget.limit_usd < CENT_USD ? formatUsd : formatWholeCents)(budget.spent_usd)} spent
        </span>
      </span>
      <Meter
        label={budget.subject.name}
        value={budget.spent_usd}
        max={budget.limit_usd}
        text={`${formatUsd(budget.spent_usd)} spent by ${budget.subject.name}`}
        isBarOnly
      />
    </div>
  );
}

"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus, SearchX, ShieldCheck } from "lucide-react";
import { useQueryStates } from "nuqs";
import { parseAsArrayOf, parseAsString } from "nuqs/server";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { FilterBar } from "@/components/layout/filter-bar";
import { PageHeader } from "@/components/layout/page-header";
import { LIST_STATE } from "@/components/layout/page-state";
import { Pager } from "@/components/layout/pager";
import { sessionQuery } from "@/components/session/session-queries";
import { Button } from "@/components/ui/button";
import { DataTable, DataTableSkeleton } from "@/components/ui/data-table";
import { hiddenAtFirst } from "@/components/ui/data-table-model";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { useUser } from "@/components/session/user-context";
import { useWorkspaceNames } from "@/components/workspaces/workspace-queries";
import { usePageRouter } from "@/lib/browser/page-router";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import { DeleteGuardrail } from "./delete-guardrail";
import { guardrailColumns } from "./guardrail-columns";
import { guardrailListQuery } from "./guardrail-queries";
import { useClosestBudget, useGuardrailUse } from "./guardrail-use";

const STATE = { ...LIST_STATE, hide: parseAsArrayOf(parseAsString) };

export function GuardrailList() {
  const router = usePageRouter();
  const { isAdmin } = useUser();
  const [{ hide, ...state }, setState] = useQueryStates(STATE);
  const { workspace, q, sort } = state;
  const guardrails = useQuery(guardrailListQuery(state));
  const session = useQuery(sessionQuery);
  const [toDelete, setToDelete] = useState<Guardrail | null>(null);
  const holdersOf = useGuardrailUse(workspace, guardrails.data?.data.map(({ id }) => id) ?? []);
  const budgetOf = useClosestBudget(workspace);
  const workspaces = useWorkspaceNames(isAdmin);
  const columns = guardrailColumns({
    vendors: session.data?.zdr_vendors,
    holdersOf,
    budgetOf,
    workspaces: workspace === null && workspaces.size > 1 ? workspaces : null,
    onDelete: setToDelete,
  });
  const hidden = hide ?? hiddenAtFirst(columns);
  const search = (text: string | null) => void setState({ q: text, offset: null });
  const createLink = (
    <LinkButton variant="primary" href={workspace ? `/guardrails/new?workspace=${workspace}` : "/guardrails/new"}>
      <Plus aria-hidden /> New guardrail
    </LinkButton>
  );
  return (
    <>
      <PageHeader
        title="Guardrails"
        description="Control which models keys and members can use, what they can send, and how much they can spend."
        action={isAdmin && createLink}
      />
      <DataState query={guardrails} subject="guardrails" skeleton={<DataTableSkeleton columns={columns} />}>
        {({ data, total_count }) =>
          total_count === 0 && q === null ? (
            <EmptyState icon={ShieldCheck} title="No guardrails yet" action={createLink} isHeaderAction>
              A guardrail restricts models and providers, requires zero data retention, filters content and limits
              spending. It is enforced once assigned to a key or member.
            </EmptyState>
          ) : (
            <>
              <FilterBar
                search={{ label: "Search guardrails", value: q, onChange: search }}
                filters={[]}
                values={{}}
                onChange={() => undefined}
                onClear={() => search(null)}
              />
              {total_count === 0 ? (
                <EmptyState
                  icon={SearchX}
                  title={`No results for “${q ?? ""}”`}
                  action={<Button onClick={() => search(null)}>Clear search</Button>}
                >
                  Search covers guardrail names and descriptions.
                </EmptyState>
              ) : (
                <DataTable
                  label="Guardrails"
                  columns={columns}
                  rows={data}
                  rowKey={({ id }) => id}
                  sort={{ value: sort, onChange: (value) => void setState({ sort: value, offset: null }) }}
                  chooser={{ hidden, onChange: (ids) => void setState({ hide: ids }) }}
                  onOpen={({ id }) => router.push(`/guardrails/${id}`)}
                />
              )}
              <Pager total={total_count} shown={data.length} />
            </>
          )
        }
      </DataState>
      <DeleteGuardrail guardrail={toDelete} onClose={() => setToDelete(null)} />
    </>
  );
}

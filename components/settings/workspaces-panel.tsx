"use client";
import { useQuery } from "@tanstack/react-query";
import { Layers } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { FilterBar } from "@/components/layout/filter-bar";
import { Pager } from "@/components/layout/pager";
import { DataTable, DataTableSkeleton } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import type { Workspace } from "@/lib/records/workspaces/contract";
import { DeleteWorkspace } from "./delete-workspace";
import { workspaceListQuery } from "./settings-queries";
import { SETTINGS_STATE } from "./settings-state";
import { workspaceColumns } from "./workspace-columns";

/** Workspace list: all columns, or only logging and retention. */
export function WorkspacesPanel({ view }: { view: "all" | "logging" }) {
  const [state, setState] = useQueryStates(SETTINGS_STATE);
  const workspaces = useQuery(workspaceListQuery(state));
  const [toDelete, setToDelete] = useState<Workspace | null>(null);
  const edit = ({ id }: Workspace) => void setState({ edit: id }, { history: "push" });
  const columns = workspaceColumns(view, { onEdit: edit, onDelete: setToDelete });
  const narrow = (q: string | null) => void setState({ q, offset: null });
  return (
    <>
      <FilterBar
        search={{ label: "Search workspaces", value: state.q, onChange: narrow }}
        filters={[]}
        values={{}}
        onChange={() => undefined}
        onClear={() => narrow(null)}
      />
      <DataState query={workspaces} subject="workspaces" skeleton={<DataTableSkeleton columns={columns} />}>
        {({ data, total_count }) =>
          total_count === 0 ? (
            <EmptyState icon={Layers} title="No results">
              Search covers names and slugs.
            </EmptyState>
          ) : (
            <>
              <DataTable
                label="Workspaces"
                columns={columns}
                rows={data}
                rowKey={({ id }) => id}
                sort={{ value: state.sort, onChange: (sort) => void setState({ sort, offset: null }) }}
                onOpen={edit}
              />
              <Pager total={total_count} shown={data.length} />
            </>
          )
        }
      </DataState>
      <DeleteWorkspace workspace={toDelete} onClose={() => setToDelete(null)} />
    </>
  );
}

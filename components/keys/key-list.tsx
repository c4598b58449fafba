"use client";
import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useQueryState, useQueryStates } from "nuqs";
import { parseAsArrayOf, parseAsBoolean, parseAsString } from "nuqs/server";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { FilterBar } from "@/components/layout/filter-bar";
import { NoResults } from "@/components/layout/no-results";
import { PageHeader } from "@/components/layout/page-header";
import { Pager } from "@/components/layout/pager";
import { useUser } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { DataTable, DataTableSkeleton } from "@/components/ui/data-table";
import { hiddenAtFirst } from "@/components/ui/data-table-model";
import { EmptyState } from "@/components/ui/empty-state";
import { lazyComponent } from "@/components/ui/lazy-component";
import { useWorkspaceNames } from "@/components/workspaces/workspace-queries";
import { usePageRouter } from "@/lib/browser/page-router";
import type { Key } from "@/lib/records/keys/contract";
import { KeyBulkBar } from "./key-bulk-bar";
import { keyColumns } from "./key-columns";
import { KeyDialogs, type KeyDialog } from "./key-dialogs";
import { KEY_LIST_STATE } from "./key-list-state";
import { keyListQuery } from "./key-queries";
import { useKeyActions } from "./use-key-actions";
import { useKeyFilters } from "./use-key-filters";
import { useCanManageOwnKeys } from "./use-own-key-caps";
import { useSelectedKeys } from "./use-selected-keys";

const CreateKeyDialog = lazyComponent(() => import("./create-key-dialog").then((file) => file.CreateKeyDialog));

const STATE = { ...KEY_LIST_STATE, hide: parseAsArrayOf(parseAsString) };
const UNFILTERED = { q: null, kind: null, status: null, guardrail: null, tag: null, offset: null };

export function KeyList() {
  const router = usePageRouter();
  const { isAdmin } = useUser();
  const [{ hide, ...state }, setState] = useQueryStates(STATE);
  const keys = useQuery(keyListQuery(state));
  const filters = useKeyFilters(state);
  const workspaces = useWorkspaceNames(isAdmin);
  const { setDisabled, isPending } = useKeyActions();
  const [isCreating, setNew] = useQueryState("new", parseAsBoolean.withDefault(false));
  const setCreating = (isOpen: boolean) => void setNew(isOpen || null);
  const { selected, setSelected, chosen, clear, selectAll } = useSelectedKeys(state, keys.data);
  const [dialog, setDialog] = useState<KeyDialog | null>(null);
  const ask = (kind: KeyDialog["kind"]) => (keys: readonly Key[]) => setDialog({ kind, keys });
  const canCreate = useCanManageOwnKeys();
  const actions = {
    onSetDisabled: (key: Key, disabled: boolean) => (isAdmin ? setDisabled([key], disabled) : ask("disable")([key])),
    onAssign: isAdmin ? (key: Key) => ask("assign")([key]) : null,
    onDelete: (key: Key) => ask("delete")([key]),
  };
  const columns = keyColumns({ actions: canCreate ? actions : null, isAdmin, workspaces });
  const hidden = hide ?? hiddenAtFirst(columns);
  const isFiltered = Boolean(state.q ?? state.kind ?? state.status ?? state.guardrail ?? state.tag);
  const narrow = (change: Partial<Record<keyof typeof UNFILTERED, string | null>>) => {
    clear();
    void setState({ ...change, offset: null } as Parameters<typeof setState>[0]);
  };
  const createButton = canCreate && (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> New key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        description={isAdmin ? "Inference keys call models. Management keys manage the organization." : "Your keys."}
        action={createButton}
      />
      <DataState query={keys} subject="keys" skeleton={<DataTableSkeleton columns={columns} />}>
        {({ data, total_count }) =>
          total_count === 0 && !isFiltered ? (
            <EmptyState icon={KeyRound} title="No keys yet" action={createButton} isHeaderAction>
              {canCreate
                ? "Applications need an inference key to send requests through Signalbox."
                : "Ask an admin of your organization for a key."}
            </EmptyState>
          ) : (
            <>
              <FilterBar
                search={{ label: "Search keys", value: state.q, onChange: (q) => narrow({ q }) }}
                filters={filters}
                values={{
                  kind: state.kind,
                  status: state.status,
                  guardrail: state.guardrail,
                  tag: state.tag,
                }}
                onChange={(name, value) => narrow({ [name]: value })}
                onClear={() => narrow(UNFILTERED)}
              />
              {total_count === 0 ? (
                <NoResults onClear={() => narrow(UNFILTERED)}>
                  Search covers key names, and the start of labels and hashes.
                </NoResults>
              ) : (
                <DataTable
                  label="API keys"
                  columns={columns}
                  rows={data}
                  rowKey={({ hash }) => hash}
                  sort={{ value: state.sort, onChange: (sort) => void setState({ sort, offset: null }) }}
                  selection={isAdmin ? { selected, onChange: setSelected, nameOf: ({ name }) => name } : undefined}
                  chooser={{ hidden, onChange: (ids) => void setState({ hide: ids }) }}
                  onOpen={({ hash }) => router.push(`/keys/${hash}`)}
                />
              )}
              <Pager total={total_count} shown={data.length} />
              {chosen.length > 0 && (
                <KeyBulkBar
                  keys={chosen}
                  isPending={isPending}
                  selectAll={selectAll}
                  onAssign={ask("assign")}
                  onLimit={ask("limit")}
                  onDisable={(some) => setDisabled(some, true)}
                  onDelete={ask("delete")}
                  onClear={() => clear()}
                />
              )}
            </>
          )
        }
      </DataState>
      {isCreating && canCreate && <CreateKeyDialog workspace={state.workspace} onClose={() => setCreating(false)} />}
      <KeyDialogs dialog={dialog} onClose={() => setDialog(null)} onChanged={() => clear()} />
    </>
  );
}

"use client";
import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useQueryState } from "nuqs";
import { parseAsBoolean } from "nuqs/server";
import { useState } from "react";
import { PageHeader } from "@/components/layout/page-header";
import { ResourceList, useListState } from "@/components/layout/resource-list";
import { useUser } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { lazyComponent } from "@/components/ui/lazy-component";
import { useWorkspaceNames } from "@/components/workspaces/workspace-queries";
import { usePageRouter } from "@/lib/browser/page-router";
import type { Key } from "@/lib/records/keys/contract";
import { KeyBulkBar } from "./key-bulk-bar";
import { keyColumns } from "./key-columns";
import { KeyDialogs, type KeyDialog } from "./key-dialogs";
import { KEY_LIST_STATE, keyListQuery } from "./key-queries";
import { useKeyActions } from "./use-key-actions";
import { useKeyFilters } from "./use-key-filters";
import { useCanManageOwnKeys } from "./use-own-key-caps";
import { useSelectedKeys } from "./use-selected-keys";

const CreateKeyDialog = lazyComponent(() => import("./create-key-dialog").then((file) => file.CreateKeyDialog));

export function KeyList() {
  const router = usePageRouter();
  const { isAdmin } = useUser();
  const { state, list } = useListState(KEY_LIST_STATE);
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
      <ResourceList
        label="API keys"
        subject="keys"
        query={keys}
        list={list}
        columns={keyColumns({ actions: canCreate ? actions : null, isAdmin, workspaces })}
        rowKey={({ hash }) => hash}
        searchCovers="Search covers key names, and the start of labels and hashes."
        filters={filters}
        onNarrow={clear}
        selection={isAdmin ? { selected, onChange: setSelected, nameOf: ({ name }) => name } : undefined}
        onOpen={({ hash }) => router.push(`/keys/${hash}`)}
        empty={
          <EmptyState icon={KeyRound} title="No keys yet" action={createButton} isHeaderAction>
            {canCreate
              ? "Applications need an inference key to send requests through Signalbox."
              : "Ask an admin of your organization for a key."}
          </EmptyState>
        }
      >
        {chosen.length > 0 && (
          <KeyBulkBar
            keys={chosen}
            isPending={isPending}
            selectAll={selectAll}
            onAssign={ask("assign")}
            onLimit={ask("limit")}
            onDisable={(some) => setDisabled(some, true)}
            onDelete={ask("delete")}
            onClear={clear}
          />
        )}
      </ResourceList>
      {isCreating && canCreate && <CreateKeyDialog workspace={state.workspace} onClose={() => setCreating(false)} />}
      <KeyDialogs dialog={dialog} onClose={() => setDialog(null)} onChanged={clear} />
    </>
  );
}

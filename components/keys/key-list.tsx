"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { PageHeader } from "@/components/layout/page-header";
import { ResourceList, useListState } from "@/components/layout/resource-list";
import { useCreating } from "@/components/layout/use-creating";
import { useMay } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { lazyComponent } from "@/components/ui/lazy-component";
import { useWorkspaceNames } from "@/components/workspaces/workspace-queries";
import { usePageRouter } from "@/lib/browser/page-router";
import type { Key } from "@/lib/records/keys/contract";
import type { FilterDefinition } from "@/components/layout/filter-definition";
import { findRecords, recordNameQuery } from "@/components/layout/record-names";
import { RECORD_SOURCES } from "@/components/layout/record-sources";
import { tagFilter } from "@/components/tags/tag-filter";
import { KEY_KINDS, KEY_STATUSES } from "@/lib/records/keys/vocabulary";
import { SpendRangeSelect } from "@/components/analytics/range-spend";
import { AssignDialog } from "@/components/assignments/assign-dialog";
import { BulkBar } from "@/components/layout/bulk-bar";
import { useSelection, type Reach } from "@/components/layout/use-selection";
import { call } from "@/lib/browser/api-client";
import { listKeys } from "@/lib/browser/operations/keys";
import { count } from "@/lib/platform/count";
import { keyColumns } from "./key-columns";
import {
  KEY_LIST_STATE,
  keyListInput,
  keyListQuery,
  MOST_ONE_BY_ONE,
  NO_GUARDRAIL,
  type KeyListState,
} from "./key-queries";
import { useKeyActions } from "./use-key-actions";
import { useCanManageOwnKeys } from "./use-own-key-caps";
import { DeleteKeys } from "./delete-keys";
import { DisableOwnKey } from "./disable-own-key";

const CreateKeyDialog = lazyComponent(() => import("./create-key-dialog").then((file) => file.CreateKeyDialog));

export function KeyList() {
  const router = usePageRouter();
  const seesAll = useMay("keys:read");
  const canManage = useMay("keys:write");
  const canSeeGuardrails = useMay("guardrails:read");
  const canSeeWorkspaces = useMay("workspaces:read");
  const { state, list } = useListState(KEY_LIST_STATE);
  const keys = useQuery(keyListQuery(state));
  const filters = useKeyFilters(state);
  const workspaces = useWorkspaceNames(canSeeWorkspaces);
  const { setDisabled, isPending, progress } = useKeyActions();
  const [isCreating, setCreating] = useCreating();
  const { selected, setSelected, chosen, clear, reach } = useSelection<Key>({
    subject: "keys",
    page: keys.data,
    idOf: ({ hash }) => hash,
    load: (place) => call(listKeys, { query: { ...keyListInput(state), ...place } }),
  });
  const [dialog, setDialog] = useState<KeyDialog | null>(null);
  const ask = (kind: KeyDialog["kind"]) => (keys: readonly Key[]) => setDialog({ kind, keys });
  const canCreate = useCanManageOwnKeys();
  const actions = {
    onSetDisabled: (key: Key, disabled: boolean) => (canManage ? setDisabled([key], disabled) : ask("disable")([key])),
    onAssign: canManage && canSeeGuardrails ? (key: Key) => ask("assign")([key]) : null,
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
        description={seesAll ? "Inference keys call models. Management keys manage the organization." : "Your keys."}
        action={createButton}
      />
      <ResourceList
        label="API keys"
        subject="keys"
        query={keys}
        list={list}
        columns={keyColumns({ actions: canCreate ? actions : null, canSeeGuardrails, workspaces, range: state.range })}
        rowKey={({ hash }) => hash}
        searchCovers="Search covers key names, and the start of labels and hashes."
        filters={filters}
        actions={<SpendRangeSelect value={state.range} onChange={(range) => list.setState({ range, offset: null })} />}
        onNarrow={clear}
        selection={canManage ? { selected, onChange: setSelected, nameOf: ({ name }) => name } : undefined}
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
            progress={progress}
            reach={reach}
            onAssign={ask("assign")}
            onLimit={ask("limit")}
            onTag={ask("tag")}
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

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const toOptions = (values: readonly string[]) => values.map((value) => ({ value, label: capitalized(value) }));

/** Filters of the key list; members have fewer. */
function useKeyFilters({ workspace, tag: chosen, guardrail }: KeyListState): FilterDefinition[] {
  const seesAll = useMay("keys:read");
  const canSeeGuardrails = useMay("guardrails:read");
  const client = useQueryClient();
  const isNamed = canSeeGuardrails && guardrail !== null && guardrail !== NO_GUARDRAIL;
  const name = useQuery({ ...recordNameQuery(RECORD_SOURCES.guardrail_id, guardrail ?? ""), enabled: isNamed }).data;
  const status: FilterDefinition = {
    key: "status",
    label: "Status",
    kind: "options",
    options: toOptions(KEY_STATUSES),
  };
  const tag = tagFilter(chosen);
  if (!seesAll) return [status, tag];
  return [
    status,
    tag,
    { key: "kind", label: "Kind", kind: "options", options: toOptions(KEY_KINDS) },
    {
      key: "guardrail",
      label: "Guardrail",
      kind: "options",
      options: [
        { value: NO_GUARDRAIL, label: "No guardrail" },
        ...(isNamed ? [{ value: guardrail, label: name ?? guardrail }] : []),
      ],
      find: (q) => findRecords(client, RECORD_SOURCES.guardrail_id, q, workspace),
    },
  ];
}

const SetLimitsDialog = lazyComponent(() => import("./set-limits-dialog").then((file) => file.SetLimitsDialog));
const TagKeysDialog = lazyComponent(() => import("./tag-keys-dialog").then((file) => file.TagKeysDialog));

/** The open dialog of the key list, with its keys. */
interface KeyDialog {
  kind: "assign" | "limit" | "tag" | "disable" | "delete";
  keys: readonly Key[];
}

const NONE: readonly Key[] = [];

interface KeyDialogsProps {
  /** Null when closed. */
  dialog: KeyDialog | null;
  onClose: () => void;
  /** Called after the limits are set or the keys are deleted. */
  onChanged: () => void;
}

function KeyDialogs({ dialog, onClose, onChanged }: KeyDialogsProps) {
  const keysOf = (kind: KeyDialog["kind"]) => (dialog?.kind === kind ? dialog.keys : NONE);
  const toAssign = keysOf("assign");
  const toLimit = keysOf("limit");
  const toTag = keysOf("tag");
  return (
    <>
      <AssignDialog
        kind="keys"
        subjects={toAssign.map(({ hash, name }) => ({ id: hash, name }))}
        open={toAssign.length > 0}
        onClose={onClose}
      />
      {toLimit.length > 0 && <SetLimitsDialog keys={toLimit} onClose={onClose} onDone={onChanged} />}
      {toTag.length > 0 && <TagKeysDialog keys={toTag} onClose={onClose} onDone={onChanged} />}
      <DisableOwnKey record={keysOf("disable")[0] ?? null} onClose={onClose} />
      <DeleteKeys keys={keysOf("delete")} onClose={onClose} onDeleted={onChanged} />
    </>
  );
}

interface KeyBulkBarProps {
  keys: readonly Key[];
  isPending: boolean;
  /** Number of keys that are disabled so far. */
  progress: number;
  reach: Reach | null;
  onAssign: (keys: readonly Key[]) => void;
  onLimit: (keys: readonly Key[]) => void;
  onTag: (keys: readonly Key[]) => void;
  onDisable: (keys: readonly Key[]) => void;
  onDelete: (keys: readonly Key[]) => void;
  onClear: () => void;
}

/** Bulk actions. Management keys can't have guardrails, so assigning skips them. */
function KeyBulkBar({ keys, isPending, progress, reach, ...actions }: KeyBulkBarProps) {
  const { onAssign, onLimit, onTag, onDisable, onDelete, onClear } = actions;
  const assignable = keys.filter(({ kind }) => kind === "inference");
  const enabled = keys.filter(({ disabled }) => !disabled);
  const most = MOST_ONE_BY_ONE.toLocaleString("en");
  return (
    <BulkBar
      label="Selected keys"
      text={`${count(keys.length, "key")} selected`}
      reach={reach}
      note={
        keys.length > MOST_ONE_BY_ONE &&
        `Up to ${most} keys can be disabled or deleted at a time. Select fewer to do so.`
      }
      onClear={onClear}
    >
      <Button size="sm" disabled={assignable.length === 0} onClick={() => onAssign(assignable)}>
        Assign guardrail…
      </Button>
      <Button size="sm" onClick={() => onLimit(keys)}>
        Set limit…
      </Button>
      <Button size="sm" onClick={() => onTag(keys)}>
        Edit tags…
      </Button>
      <Button
        size="sm"
        disabled={enabled.length === 0 || enabled.length > MOST_ONE_BY_ONE || isPending}
        onClick={() => onDisable(enabled)}
      >
        {isPending && progress > 0 ? `Disabling, ${progress.toLocaleString("en")} done…` : "Disable"}
      </Button>
      <Button size="sm" variant="danger" disabled={keys.length > MOST_ONE_BY_ONE} onClick={() => onDelete(keys)}>
        Delete…
      </Button>
    </BulkBar>
  );
}

"use client";
import { CircleCheck } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { AssignDialog } from "@/components/assignments/assign-dialog";
import { BulkBar } from "@/components/layout/bulk-bar";
import { useMay } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { DataTable, type Column } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { lazyComponent } from "@/components/ui/lazy-component";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { call } from "@/lib/browser/api-client";
import { toFailure } from "@/lib/browser/api-failure";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { deleteGuardrail } from "@/lib/browser/operations/guardrails";
import { getCoverage } from "@/lib/browser/operations/coverage";
import { GAP_LABELS, isOfOneWorkspace, type Gap, type GapRow } from "./gaps";
import { count } from "@/lib/platform/count";

const SetLimitsDialog = lazyComponent(() =>
  import("@/components/keys/set-limits-dialog").then((file) => file.SetLimitsDialog),
);

interface GapPanelProps {
  gap: Gap;
  rows: readonly GapRow[];
  total: number;
  workspaces: ReadonlyMap<string, string>;
}

const NONE: ReadonlySet<string> = new Set();
const ACTIONS = {
  keys: "Assign guardrail…",
  members: "Assign guardrail…",
  limits: "Set limit…",
  guardrails: "Delete…",
} as const satisfies Record<Gap, string>;

function columnsOf(gap: Gap, workspaces: GapPanelProps["workspaces"]): Column<GapRow>[] {
  return [
    {
      id: "name",
      header: "Name",
      cell: ({ name, detail, href }) => (
        <div className="grid min-w-0">
          <Link href={href} className="font-medium wrap-anywhere after:absolute after:inset-0">
            {name}
          </Link>
          {detail !== null && <span className="text-[13px] wrap-anywhere text-muted">{detail}</span>}
        </div>
      ),
    },
    ...(gap === "members"
      ? []
      : [
          {
            id: "workspace",
            header: "Workspace",
            cell: ({ workspaceId }: GapRow) => (
              <span className="text-muted">{workspaces.get(workspaceId ?? "") ?? "–"}</span>
            ),
          },
        ]),
  ];
}

/** Rows of one kind of gap, with a bulk action to fix the selected ones. */
export function GapPanel({ gap, rows, total, workspaces }: GapPanelProps) {
  const [selected, setSelected] = useState(NONE);
  const [toFix, setToFix] = useState<readonly GapRow[]>([]);
  const canFix = useMay(gap === "limits" ? "keys:write" : "guardrails:write");
  const { table, none } = GAP_LABELS[gap];
  const chosen = rows.filter(({ id }) => selected.has(id));
  const cantAssign = gap === "keys" && !isOfOneWorkspace(chosen);
  const close = () => setToFix([]);
  const done = () => setSelected(NONE);
  if (rows.length === 0)
    return (
      <EmptyState icon={CircleCheck} title="No gaps">
        {none}
      </EmptyState>
    );
  return (
    <>
      {total > rows.length && (
        <p className="mb-3 text-[13px] text-muted">
          Showing, and selecting from, the newest {rows.length} of {total.toLocaleString("en")}. The rest appear as you
          resolve these.
        </p>
      )}
      <DataTable
        label={table}
        columns={columnsOf(gap, workspaces)}
        rows={rows}
        rowKey={({ id }) => id}
        selection={canFix ? { selected, onChange: setSelected, nameOf: ({ name }) => name } : undefined}
      />
      {chosen.length > 0 && (
        <BulkBar
          label={`Selected ${gap}`}
          text={cantAssign ? "Select keys from a single workspace" : `${chosen.length} selected`}
          onClear={done}
        >
          <Button
            size="sm"
            variant={gap === "guardrails" ? "danger" : "secondary"}
            disabled={cantAssign}
            onClick={() => setToFix(chosen)}
          >
            {ACTIONS[gap]}
          </Button>
        </BulkBar>
      )}
      {toFix.length > 0 && (gap === "keys" || gap === "members") && (
        <AssignDialog kind={gap} subjects={toFix} open onClose={close} onDone={done} />
      )}
      {toFix.length > 0 && gap === "limits" && (
        <SetLimitsDialog keys={toFix.map(({ id, name }) => ({ hash: id, name }))} onClose={close} onDone={done} />
      )}
      {toFix.length > 0 && gap === "guardrails" && (
        <DeleteGuardrails guardrails={toFix} onClose={close} onDone={done} />
      )}
    </>
  );
}

interface DeleteGuardrailsProps {
  guardrails: readonly GapRow[];
  onClose: () => void;
  onDone: () => void;
}

const guardrailsOf = (amount: number) => count(amount, "guardrail");

/** Deletes the guardrails that are still unassigned and keeps those assigned in the meantime. */
async function deleteIdle(guardrails: readonly GapRow[]): Promise<{ deleted: number; kept: string[] }> {
  const { data } = await call(getCoverage, { query: { guardrail_id: guardrails.map(({ id }) => id) } });
  const used = new Set(
    data.guardrails
      .filter(({ keys, members, is_default }) => keys + members > 0 || is_default)
      .map(({ guardrail_id }) => guardrail_id),
  );
  const idle = guardrails.filter(({ id }) => !used.has(id));
  for (const { id } of idle) await call(deleteGuardrail, { params: { id } });
  return { deleted: idle.length, kept: guardrails.filter(({ id }) => used.has(id)).map(({ name }) => name) };
}

function DeleteGuardrails({ guardrails, onClose, onDone }: DeleteGuardrailsProps) {
  const client = useQueryClient();
  const deletion = useApiMutation({
    mutationFn: () => deleteIdle(guardrails),
    onSettled: () => client.invalidateQueries(),
  });
  const confirm = () =>
    deletion.mutate(undefined, {
      onSuccess: ({ deleted, kept }) => {
        toast.success(
          `${guardrailsOf(deleted)} deleted`,
          kept.length > 0 ? { description: `Not deleted because now assigned: ${kept.join(", ")}` } : {},
        );
        onDone();
        onClose();
      },
      onError: (error) => toast.error("Some guardrails weren't deleted", { description: toFailure(error).message }),
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Delete ${guardrailsOf(guardrails.length)}?`}
      action={`Delete ${guardrailsOf(guardrails.length)}`}
      typed={`delete ${guardrailsOf(guardrails.length)}`}
      isPending={deletion.isPending}
      onConfirm={confirm}
      touches={
        <ul className="grid gap-0.5">
          {guardrails.map(({ id, name }) => (
            <li key={id} className="wrap-anywhere">
              {name}
            </li>
          ))}
        </ul>
      }
    >
      <p>
        These guardrails are unassigned, so no requests are affected. Their history stays in the audit log. This can’t
        be undone.
      </p>
    </ConfirmDialog>
  );
}

"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useQueryState } from "nuqs";
import { parseAsString } from "nuqs/server";
import { useState, useDeferredValue } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { toFailure } from "@/lib/browser/api-failure";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import { summarize } from "@/components/guardrails/guardrail-summary";
import { DataState } from "@/components/layout/data-state";
import { sessionQuery } from "@/components/session/session-queries";
import { SearchedOptions } from "@/components/ui/searched-options";
import { Skeleton } from "@/components/ui/skeleton";
import { countOf, groupsOf, planSentence, type Kind, type Subject } from "./assignment-plan";
import { planQuery, useAssign, useLeftNames, useUnassign, useWorkspaceOf, choicesQuery } from "./assignment-queries";
import { PlanPreview } from "./plan-preview";
import { showDone } from "./undo-toast";

interface AssignFormProps {
  kind: Kind;
  subjects: readonly Subject[];
  onClose: () => void;
  onDone?: () => void;
}

/** The guardrail to assign, and the resulting changes. */
export function AssignForm({ kind, subjects, onClose, onDone }: AssignFormProps) {
  const client = useQueryClient();
  const [shownWorkspace] = useQueryState("workspace", parseAsString);
  const workspace = useWorkspaceOf(kind, subjects, shownWorkspace);
  const [choice, setChoice] = useState<Choice | null>(null);
  const [done, setDone] = useState(0);
  const [any, setAny] = useState<Guardrail>();
  const assign = useAssign();
  const unassign = useUnassign();
  const target = choice === NONE ? null : choice;
  const planned = target ?? any;
  const ids = subjects.map(({ id }) => id);
  const plan = useQuery({
    ...planQuery({ kind, guardrailId: planned?.id ?? "", ids }, target === null ? "unassign" : "assign"),
    enabled: planned !== undefined && choice !== null,
  });
  const leftName = useLeftNames(plan.data);
  const isPending = assign.isPending || unassign.isPending;
  const error = assign.error ?? unassign.error;
  const affected = plan.data ? plan.data.added.length + plan.data.moved.length : 0;

  const choose = (chosen: Choice, first: Guardrail | undefined) => {
    setChoice(chosen);
    setAny(first);
  };
  const confirm = async () => {
    if (!plan.data) return;
    const changes = target
      ? await assign.mutateAsync({ kind, guardrailId: target.id, ids, onProgress: setDone })
      : await unassign.mutateAsync({ kind, moved: plan.data.moved });
    const title = target
      ? `${countOf(kind, affected)} assigned to “${target.name}”`
      : `Guardrail removed from ${countOf(kind, affected)}`;
    showDone(client, title, planSentence(groupsOf(plan.data, target?.name ?? null, leftName)), changes);
    onDone?.();
    onClose();
  };

  return (
    <>
      <GuardrailChoice workspace={workspace} value={choice} onChange={choose} />
      <PlanPreview
        plan={plan}
        hint="Choose a guardrail to preview the changes."
        target={target?.name ?? null}
        subjects={subjects}
      />
      {error && <FailureAlert failure={toFailure(error)} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant={choice === NONE ? "danger" : "primary"}
          disabled={affected === 0 || isPending}
          onClick={() => void confirm().catch(() => undefined)}
        >
          {isPending && done > 0
            ? `Assigning, ${done.toLocaleString("en")} of ${countOf(kind, ids.length)}…`
            : `${choice === NONE ? "Unassign" : "Assign"} ${affected > 0 ? countOf(kind, affected) : kind}`}
        </Button>
      </DialogActions>
    </>
  );
}

/** The selected guardrail, or "none" to unassign. */
type Choice = Guardrail | typeof NONE;

const NONE = "none";

interface GuardrailChoiceProps {
  workspace: string | undefined;
  value: Choice | null;
  /** `any`: an arbitrary guardrail of the workspace, for dry runs. */
  onChange: (choice: Choice, any: Guardrail | undefined) => void;
}

/** Searchable list of a workspace's guardrails, each with a one-sentence summary. */
function GuardrailChoice({ workspace, value, onChange }: GuardrailChoiceProps) {
  const [search, setSearch] = useState("");
  const q = useDeferredValue(search.trim());
  const guardrails = useQuery(choicesQuery(workspace, q));
  const vendors = useQuery(sessionQuery).data?.zdr_vendors;
  const choose = (rows: readonly Guardrail[], id: string) => {
    const chosen = id === NONE ? NONE : rows.find((row) => row.id === id);
    if (chosen) onChange(chosen, rows[0]);
  };
  const { data, total_count } = guardrails.data ?? { data: [], total_count: 0 };
  return (
    <div className="grid gap-2">
      <SearchedOptions
        label="Guardrails"
        search={{ label: "Search guardrails", text: search, onChange: setSearch }}
        options={[
          ...data.map((guardrail) => ({
            value: guardrail.id,
            label: guardrail.name,
            hint: summarize(guardrail, vendors) ?? "No restrictions on models, providers or content.",
          })),
          ...(data.length > 0 && q === ""
            ? [{ value: NONE, label: "No guardrail", hint: "Removes the current guardrail from each." }]
            : []),
        ]}
        isHintBelow
        total={total_count}
        isSettled={q === search.trim() && guardrails.data !== undefined && !guardrails.isPlaceholderData}
        chosen={value === null ? [] : [value === NONE ? NONE : value.id]}
        onChoose={(id) => choose(data, id)}
        listClassName="h-56 rounded-md border"
        empty={
          <DataState query={guardrails} subject="the guardrails" skeleton={<Skeleton className="h-56 rounded-md" />}>
            {() => (
              <p className="h-56 rounded-md border px-3 py-6 text-center text-sm text-muted">
                {q ? `No results for “${q}”` : "This workspace has no guardrails yet"}
              </p>
            )}
          </DataState>
        }
      />
      <p className="min-h-5 text-[13px] text-muted">
        {total_count > data.length && `${(total_count - data.length).toLocaleString("en")} more: search by name`}
      </p>
    </div>
  );
}

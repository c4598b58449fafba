"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useQueryState } from "nuqs";
import { parseAsString } from "nuqs/server";
import { useState, useDeferredValue } from "react";
import { RadioGroup } from "radix-ui";
import { FailureAlert } from "@/components/form/failure-alert";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { toFailure } from "@/lib/browser/api-failure";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import { summarize } from "@/components/guardrails/guardrail-summary";
import { DataState } from "@/components/layout/data-state";
import { sessionQuery } from "@/components/session/session-queries";
import { Input } from "@/components/ui/input";
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
  const [any, setAny] = useState<Guardrail>();
  const assign = useAssign();
  const unassign = useUnassign();
  const target = choice === "none" ? null : choice;
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
      ? await assign.mutateAsync({ kind, guardrailId: target.id, ids })
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
          variant={choice === "none" ? "danger" : "primary"}
          disabled={affected === 0 || isPending}
          onClick={() => void confirm().catch(() => undefined)}
        >
          {choice === "none" ? "Unassign" : "Assign"} {affected > 0 ? countOf(kind, affected) : kind}
        </Button>
      </DialogActions>
    </>
  );
}

/** The selected guardrail, or "none" to unassign. */
type Choice = Guardrail | "none";

interface GuardrailChoiceProps {
  workspace: string | undefined;
  value: Choice | null;
  /** `any`: an arbitrary guardrail of the workspace, for dry runs. */
  onChange: (choice: Choice, any: Guardrail | undefined) => void;
}

const optionStyle =
  "grid w-full gap-0.5 border-b px-3 py-2 text-left last:border-b-0 hover:bg-subtle focus-visible:-outline-offset-2 data-[state=checked]:bg-accent-subtle data-[state=checked]:shadow-[inset_3px_0_0_var(--color-accent)]";

/** Searchable list of a workspace's guardrails, each with a one-sentence summary. */
function GuardrailChoice({ workspace, value, onChange }: GuardrailChoiceProps) {
  const [search, setSearch] = useState("");
  const q = useDeferredValue(search.trim());
  const guardrails = useQuery(choicesQuery(workspace, q));
  const vendors = useQuery(sessionQuery).data?.zdr_vendors;
  const choose = (rows: readonly Guardrail[], id: string) => {
    const chosen = id === "none" ? id : rows.find((row) => row.id === id);
    if (chosen) onChange(chosen, rows[0]);
  };
  return (
    <div className="grid gap-2">
      <Input
        type="search"
        aria-label="Search guardrails"
        placeholder="Search guardrails"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <DataState query={guardrails} subject="the guardrails" skeleton={<Skeleton className="h-56 rounded-md" />}>
        {({ data, total_count }) => (
          <>
            <RadioGroup.Root
              aria-label="Guardrail"
              value={value === null ? "" : value === "none" ? value : value.id}
              onValueChange={(id) => choose(data, id)}
              className="h-56 overflow-y-auto rounded-md border"
            >
              {data.map((guardrail) => (
                <RadioGroup.Item
                  key={guardrail.id}
                  value={guardrail.id}
                  aria-label={guardrail.name}
                  className={optionStyle}
                >
                  <span className="truncate text-sm font-medium">{guardrail.name}</span>
                  <span className="line-clamp-2 text-[13px] text-muted">
                    {summarize(guardrail, vendors) ?? "No restrictions on models, providers or content."}
                  </span>
                </RadioGroup.Item>
              ))}
              {data.length > 0 && q === "" && (
                <RadioGroup.Item value="none" aria-label="No guardrail" className={optionStyle}>
                  <span className="text-sm font-medium">No guardrail</span>
                  <span className="text-[13px] text-muted">Removes the current guardrail from each.</span>
                </RadioGroup.Item>
              )}
              {data.length === 0 && (
                <p className="px-3 py-6 text-center text-sm text-muted">
                  {q ? `No results for “${q}”` : "This workspace has no guardrails yet"}
                </p>
              )}
            </RadioGroup.Root>
            <p role="status" className="min-h-5 text-[13px] text-muted">
              {total_count > data.length ? `${total_count - data.length} more: search by name` : ""}
            </p>
          </>
        )}
      </DataState>
    </div>
  );
}

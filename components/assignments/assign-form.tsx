"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useQueryState } from "nuqs";
import { parseAsString } from "nuqs/server";
import { useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { toFailure } from "@/lib/browser/api-failure";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import { countOf, groupsOf, planSentence, type Kind, type Subject } from "./assignment-plan";
import { planQuery, useAssign, useLeftNames, useUnassign, useWorkspaceOf } from "./assignment-queries";
import { GuardrailChoice, type Choice } from "./guardrail-choice";
import { PlanPreview } from "./plan-preview";
import { showDone } from "./undo-toast";

interface AssignFormProps {
  kind: Kind;
  subjects: readonly Subject[];
  onClose: () => void;
  onDone?: () => void;
}

/** The guardrail to assign, and the changes that follow. */
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

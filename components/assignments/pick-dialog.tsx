import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { DataState } from "@/components/layout/data-state";
import { memberName } from "@/components/members/member-name";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { SearchedOptions } from "@/components/ui/searched-options";
import { Skeleton } from "@/components/ui/skeleton";
import { toFailure } from "@/lib/browser/api-failure";
import { apiQuery } from "@/lib/browser/api-query";
import { listKeys } from "@/lib/browser/operations/keys";
import { listMembers } from "@/lib/browser/operations/members";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import { countOf, groupsOf, planSentence, type Kind, type Subject } from "./assignment-plan";
import { planQuery, useAssign, useLeftNames } from "./assignment-queries";
import { PlanPreview } from "./plan-preview";
import { showDone } from "./undo-toast";

const SHOWN = 50;

interface Candidate extends Subject {
  hint: string;
}

/** Inference keys of the guardrail's workspace, or members of the organization, searched by name. */
function useCandidates(kind: Kind, { workspace_id }: Guardrail, q: string) {
  const query = { limit: SHOWN, ...(q && { q }) };
  const keys = useQuery({
    ...apiQuery(listKeys, { query: { ...query, workspace_id, kind: "inference", include_disabled: "true" } }),
    enabled: kind === "keys",
    placeholderData: keepPreviousData,
    select: ({ data, total_count }) => ({
      total: total_count,
      rows: data.map(({ hash, name, label }): Candidate => ({ id: hash, name, hint: label })),
    }),
  });
  const members = useQuery({
    ...apiQuery(listMembers, { query }),
    enabled: kind === "members",
    placeholderData: keepPreviousData,
    select: ({ data, total_count }) => ({
      total: total_count,
      rows: data.map((member): Candidate => ({ id: member.id, name: memberName(member), hint: member.email })),
    }),
  });
  return kind === "keys" ? keys : members;
}

interface CandidateListProps {
  kind: Kind;
  guardrail: Guardrail;
  /** IDs. */
  chosen: readonly string[];
  onToggle: (subject: Subject) => void;
}

/** Keys or members to choose from, with a search. */
function CandidateList({ kind, guardrail, chosen, onToggle }: CandidateListProps) {
  const [search, setSearch] = useState("");
  const text = search.trim();
  const q = useDeferredValue(text);
  const candidates = useCandidates(kind, guardrail, q);
  const { rows, total } = candidates.data ?? { rows: [], total: 0 };
  return (
    <div className="grid gap-2">
      <SearchedOptions
        label={kind === "keys" ? "Keys" : "Members"}
        search={{ label: `Search ${kind}`, text: search, onChange: setSearch }}
        options={rows.map(({ id, name, hint }) => ({
          value: id,
          label: name,
          ...(hint !== name && { hint: <bdi>{hint}</bdi> }),
        }))}
        total={total}
        isSettled={q === text && candidates.data !== undefined && !candidates.isPlaceholderData}
        chosen={chosen}
        isMultiple
        onChoose={(id) => {
          const subject = rows.find((row) => row.id === id);
          if (subject) onToggle(subject);
        }}
        listClassName="h-56 rounded-md border"
        empty={
          <DataState query={candidates} subject={`the ${kind}`} skeleton={<Skeleton className="h-56 rounded-md" />}>
            {() => (
              <p className="h-56 rounded-md border px-3 py-6 text-center text-sm text-muted">
                {text ? `No results for “${text}”` : `No ${kind} yet`}
              </p>
            )}
          </DataState>
        }
      />
      <p className="min-h-5 text-[13px] text-muted">
        {total > rows.length && `${(total - rows.length).toLocaleString("en")} more: search by name`}
      </p>
    </div>
  );
}

interface PickDialogProps {
  kind: Kind;
  guardrail: Guardrail;
  onClose: () => void;
}

/** Selects keys or members for a guardrail, with a preview of the changes. */
export function PickDialog({ kind, guardrail, onClose }: PickDialogProps) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<readonly Subject[]>([]);
  const ids = chosen.map(({ id }) => id);
  const plan = useQuery({
    ...planQuery({ kind, guardrailId: guardrail.id, ids }, "assign"),
    enabled: ids.length > 0,
    placeholderData: ids.length > 0 ? keepPreviousData : undefined,
  });
  const leftName = useLeftNames(plan.data);
  const assign = useAssign();
  const affected = plan.data && ids.length > 0 ? plan.data.added.length + plan.data.moved.length : 0;

  const toggle = (subject: Subject) =>
    setChosen(ids.includes(subject.id) ? chosen.filter(({ id }) => id !== subject.id) : [...chosen, subject]);
  const confirm = async () => {
    if (!plan.data) return;
    const changes = await assign.mutateAsync({ kind, guardrailId: guardrail.id, ids });
    showDone(
      client,
      `${countOf(kind, affected)} assigned to “${guardrail.name}”`,
      planSentence(groupsOf(plan.data, guardrail.name, leftName)),
      changes,
    );
    onClose();
  };

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Assign ${kind}`}
      description={`${kind === "keys" ? "Keys" : "Members"} with another guardrail are moved to “${guardrail.name}”.`}
    >
      <CandidateList kind={kind} guardrail={guardrail} chosen={ids} onToggle={toggle} />
      <PlanPreview
        plan={plan}
        hint={`Choose ${kind} to preview the changes.`}
        target={guardrail.name}
        subjects={chosen}
      />
      {assign.error && <FailureAlert failure={toFailure(assign.error)} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="primary"
          disabled={affected === 0 || assign.isPending || plan.isPlaceholderData}
          onClick={() => void confirm().catch(() => undefined)}
        >
          Assign {affected > 0 ? countOf(kind, affected) : kind}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

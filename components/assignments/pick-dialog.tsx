import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { DataState } from "@/components/layout/data-state";
import { memberName } from "@/components/members/member-name";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import { onOptionKeys } from "@/components/ui/option-keys";
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
  onToggle: (subject: Subject, isChosen: boolean) => void;
}

/** Keys or members to choose from, with a search. */
function CandidateList({ kind, guardrail, chosen, onToggle }: CandidateListProps) {
  const [search, setSearch] = useState("");
  const text = search.trim();
  const q = useDeferredValue(text);
  const candidates = useCandidates(kind, guardrail, q);
  const isSearched = q === text && !candidates.isPlaceholderData;
  return (
    <div className="grid gap-2" onKeyDown={(event) => onOptionKeys(event, isSearched && text !== "")}>
      <Input
        type="search"
        aria-label={`Search ${kind}`}
        placeholder={`Search ${kind}`}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <DataState query={candidates} subject={`the ${kind}`} skeleton={<Skeleton className="h-56 rounded-md" />}>
        {({ rows, total }) => (
          <>
            <ul aria-label={kind === "keys" ? "Keys" : "Members"} className="h-56 overflow-y-auto rounded-md border">
              {rows.map((row) => (
                <li
                  key={row.id}
                  className="flex items-center justify-between gap-3 border-b px-3 py-1.5 last:border-b-0"
                >
                  <Checkbox
                    checked={chosen.includes(row.id)}
                    onChange={(isChosen) => onToggle(row, isChosen)}
                    label={row.name}
                  />
                  {row.hint !== row.name && <span className="truncate text-[13px] text-muted">{row.hint}</span>}
                </li>
              ))}
              {rows.length === 0 && (
                <li className="px-3 py-6 text-center text-sm text-muted">
                  {search ? `No results for “${search}”` : `No ${kind} yet`}
                </li>
              )}
            </ul>
            <p role="status" className="min-h-5 text-[13px] text-muted">
              {total > rows.length
                ? `${total - rows.length} more: search by name`
                : isSearched && text !== "" && `${total} ${total === 1 ? "result" : "results"}`}
            </p>
          </>
        )}
      </DataState>
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

  const toggle = (subject: Subject, isChosen: boolean) =>
    setChosen(isChosen ? [...chosen, subject] : chosen.filter(({ id }) => id !== subject.id));
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

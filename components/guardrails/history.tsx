"use client";
import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { Pager } from "@/components/layout/pager";
import { useMay } from "@/components/session/user-context";
import { Badge } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/link-button";
import { Skeleton } from "@/components/ui/skeleton";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { RelativeTime } from "@/components/ui/relative-time";
import type { GuardrailVersion } from "@/lib/records/guardrails/versions-contract";
import { guardrailQuery } from "./guardrail-queries";
import { HistoryDiff } from "./history-diff";
import { HISTORY_STATE, versionsQuery } from "./history-queries";
import { HistoryRestore } from "./history-restore";
import { FIELD_LABELS } from "./field-labels";
import type { GuardrailField } from "./guardrail-values";

/** Revision history of a guardrail, with compare and restore. */
export function GuardrailHistory({ id }: { id: string }) {
  const guardrail = useQuery(guardrailQuery(id));
  const current = guardrail.data?.data;
  return (
    <>
      <PageHeader
        title={current ? `History of ${current.name}` : "History"}
        badge={current && <Badge>Revision {current.revision}</Badge>}
        description="Every change creates a revision. Restoring an old one creates a new revision."
        action={current && <LinkButton href={`/guardrails/${id}`}>Back to guardrail</LinkButton>}
      />
      <DataState query={guardrail} subject="this guardrail" skeleton={<Skeleton className="h-96 rounded-lg" />}>
        {({ data }) => <Revisions guardrail={data} />}
      </DataState>
    </>
  );
}

function Revisions({ guardrail }: { guardrail: Guardrail }) {
  const [state, setState] = useQueryStates(HISTORY_STATE);
  const versions = useQuery(versionsQuery(guardrail.id, state.offset));
  const [restoring, setRestoring] = useState<number | null>(null);
  const to = state.to ?? guardrail.revision;
  const from = state.from ?? Math.max(1, to - 1);
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
      <section aria-label="Comparison" className="min-w-0 xl:sticky xl:top-19 xl:order-2">
        <HistoryDiff id={guardrail.id} from={from} to={to} />
      </section>
      <DataState query={versions} subject="revisions" skeleton={<Skeleton className="h-96 rounded-lg" />}>
        {({ data, total_count }) => (
          <div className="grid min-w-0 gap-3">
            <HistoryList
              versions={data}
              current={guardrail.revision}
              from={from}
              to={to}
              onCompare={(change) => void setState({ from, to, ...change })}
              onRestore={setRestoring}
            />
            <Pager total={total_count} shown={data.length} />
          </div>
        )}
      </DataState>
      {restoring !== null && (
        <HistoryRestore
          current={guardrail}
          revision={restoring}
          onClose={() => setRestoring(null)}
          onRestored={() => {
            setRestoring(null);
            void setState(null);
          }}
        />
      )}
    </div>
  );
}

interface HistoryListProps {
  versions: readonly GuardrailVersion[];
  /** The newest revision. */
  current: number;
  from: number;
  to: number;
  onCompare: (state: { from?: number; to?: number }) => void;
  onRestore: (revision: number) => void;
}

/** Distinct field labels; the four zero-data-retention fields share one. */
const changesText = (fields: readonly string[]) =>
  [...new Set(fields.map((field) => FIELD_LABELS[field as GuardrailField]))].join(", ");

/** Revisions, newest first; any two can be compared. */
function HistoryList({ versions, current, from, to, onCompare, onRestore }: HistoryListProps) {
  const canRestore = useMay("guardrails:write");
  return (
    <ol aria-label="Revisions" className="divide-y overflow-hidden rounded-lg border bg-surface">
      {versions.map(({ revision, author, created_at, message, changed_fields }) => (
        <li
          key={revision}
          aria-label={`Revision ${revision}`}
          className={cn("grid gap-2 px-4 py-3", (revision === from || revision === to) && "bg-accent-subtle/50")}
        >
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-medium">Revision {revision}</span>
            {revision === current && <Badge tone="success">Current</Badge>}
            <span className="text-[13px] text-muted">
              {author ? author.name : "An API key"} · <RelativeTime at={created_at} />
            </span>
          </div>
          {message && <p className="wrap-anywhere">{message}</p>}
          <p className="text-[13px] text-muted">
            {changed_fields.length === 0
              ? "No field changed"
              : `${revision === 1 ? "Set" : "Changed"}: ${changesText(changed_fields)}`}
          </p>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-[13px]">
            <Compared
              name="from"
              label={`Compare from revision ${revision}`}
              text="From"
              isChosen={revision === from}
              onChoose={() => onCompare({ from: revision })}
            />
            <Compared
              name="to"
              label={`Compare to revision ${revision}`}
              text="To"
              isChosen={revision === to}
              onChoose={() => onCompare({ to: revision })}
            />
            {canRestore && revision !== current && (
              <Button
                size="sm"
                className="ml-auto"
                aria-label={`Restore revision ${revision}`}
                onClick={() => onRestore(revision)}
              >
                Restore…
              </Button>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

interface ComparedProps {
  name: "from" | "to";
  label: string;
  text: string;
  isChosen: boolean;
  onChoose: () => void;
}

const Compared = ({ name, label, text, isChosen, onChoose }: ComparedProps) => (
  <label className="flex min-h-6 items-center gap-1.5">
    <input
      type="radio"
      name={name}
      aria-label={label}
      checked={isChosen}
      onChange={onChoose}
      className="size-4 accent-primary"
    />
    <span aria-hidden>{text}</span>
  </label>
);

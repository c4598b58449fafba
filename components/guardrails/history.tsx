"use client";
import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { Pager } from "@/components/layout/pager";
import { Badge } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/link-button";
import { Skeleton } from "@/components/ui/skeleton";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import { guardrailQuery } from "./guardrail-queries";
import { HistoryDiff } from "./history-diff";
import { HistoryList } from "./history-list";
import { HISTORY_STATE, versionsQuery } from "./history-queries";
import { HistoryRestore } from "./history-restore";

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

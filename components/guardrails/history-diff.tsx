import { useQuery } from "@tanstack/react-query";
import { DataState } from "@/components/layout/data-state";
import { sessionQuery } from "@/components/session/session-queries";
import { DiffView } from "@/components/ui/diff-view";
import { Skeleton } from "@/components/ui/skeleton";
import { formatUsd } from "@/components/ui/usd";
import type { GuardrailFields } from "@/lib/engine/policy/contract";
import { FIELD_LABELS, MODE_LABELS } from "./field-labels";
import type { GuardrailField } from "./guardrail-values";
import { versionQuery } from "./history-queries";
import { fieldLabel } from "./value-text";

const FORMATS = { limit_usd: formatUsd };
const readable = (fields: GuardrailFields) => ({ ...fields, mode: MODE_LABELS[fields.mode] });

interface HistoryDiffProps {
  id: string;
  from: number;
  to: number;
}

/** Field-by-field diff of two revisions. */
export function HistoryDiff({ id, from, to }: HistoryDiffProps) {
  const before = useQuery(versionQuery(id, from));
  const after = useQuery(versionQuery(id, to));
  const vendors = useQuery(sessionQuery).data?.zdr_vendors ?? [];
  const labels = Object.fromEntries(
    Object.keys(FIELD_LABELS).map((field) => [field, fieldLabel(field as GuardrailField, vendors)]),
  );
  const skeleton = <Skeleton className="h-48 rounded-lg" />;
  return (
    <DataState query={before} subject={`revision ${from}`} skeleton={skeleton}>
      {(older) => (
        <DataState query={after} subject={`revision ${to}`} skeleton={skeleton}>
          {(newer) => (
            <DiffView
              before={readable(older.data.fields)}
              after={readable(newer.data.fields)}
              beforeLabel={`Revision ${from}`}
              afterLabel={`Revision ${to}`}
              labels={labels}
              formats={FORMATS}
            />
          )}
        </DataState>
      )}
    </DataState>
  );
}

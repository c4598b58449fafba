"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ActiveExceptions } from "@/components/exceptions/active-exceptions";
import { AuditLink } from "@/components/audit/audit-link";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { May } from "@/components/session/may";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { lazyComponent } from "@/components/ui/lazy-component";
import { LinkButton } from "@/components/ui/link-button";
import { MonoId } from "@/components/ui/mono-id";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { usePageRouter } from "@/lib/browser/page-router";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import type { LintFinding } from "@/lib/features/lint/contract";
import { assignedTo } from "./assigned-to";
import { DeleteGuardrail } from "./delete-guardrail";
import { EditorSkeleton } from "./editor-skeleton";
import { duplicateHref } from "./guardrail-menu";
import { guardrailQuery } from "./guardrail-queries";
import { warningsText } from "./lint-text";
import { useGuardrailUse } from "./guardrail-use";

const GuardrailAssignments = lazyComponent(() =>
  import("./guardrail-assignments").then((file) => file.GuardrailAssignments),
);
const ObservedCard = lazyComponent(
  () => import("@/components/observations/observed-card").then((file) => file.ObservedCard),
  { loading: () => <Skeleton className="h-52 rounded-lg" /> },
);
const GuardrailForm = lazyComponent(() => import("./guardrail-form").then((file) => file.GuardrailForm), {
  loading: EditorSkeleton,
});

const confirmSaved = ({ name, revision }: Guardrail, warnings: readonly LintFinding[]) =>
  toast.success(`“${name}” saved`, {
    description: [`Saved as revision ${revision}.`, warningsText(warnings)].filter(Boolean).join(" "),
  });

export function GuardrailEditor({ id }: { id: string }) {
  const router = usePageRouter();
  const query = useQuery(guardrailQuery(id));
  const guardrail = query.data?.data;
  const [toDelete, setToDelete] = useState<Guardrail | null>(null);
  return (
    <>
      <PageHeader
        title={guardrail?.name ?? "Guardrail"}
        badge={
          guardrail && (
            <>
              <Badge>Revision {guardrail.revision}</Badge>
              {guardrail.mode === "observe" && (
                <a href="#observed" className="rounded-full">
                  <Badge tone="accent">Observes</Badge>
                </a>
              )}
              <UnassignedBadge guardrail={guardrail} />
            </>
          )
        }
        description={guardrail && <Facts guardrail={guardrail} />}
        action={
          guardrail && (
            <>
              <LinkButton href={`/guardrails/${id}/history`}>History</LinkButton>
              <AuditLink type="guardrail" id={id} />
              <May permission="guardrails:write">
                <LinkButton href={duplicateHref(guardrail)}>Duplicate</LinkButton>
                <Button onClick={() => setToDelete(guardrail)}>Delete…</Button>
              </May>
            </>
          )
        }
      />
      <DataState query={query} subject="this guardrail" skeleton={<EditorSkeleton />}>
        {({ data }) => (
          <GuardrailForm
            start={{ guardrail: data }}
            onSaved={confirmSaved}
            assignments={
              <>
                {data.mode === "observe" && <ObservedCard guardrail={data} />}
                <GuardrailAssignments guardrail={data} />
              </>
            }
          />
        )}
      </DataState>
      <DeleteGuardrail
        guardrail={toDelete}
        onClose={() => setToDelete(null)}
        onDeleted={() => router.push("/guardrails")}
      />
    </>
  );
}

function Facts({ guardrail }: { guardrail: Guardrail }) {
  const use = useGuardrailUse(guardrail.workspace_id, [guardrail.id])(guardrail.id);
  const holders = use && assignedTo(use);
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px]">
      <MonoId value={guardrail.id} name="guardrail ID" />
      <span>
        Updated <RelativeTime at={guardrail.updated_at ?? guardrail.created_at} />
      </span>
      {use?.is_default && <span>Workspace default</span>}
      {holders && <span>Assigned to {holders}</span>}
      <ActiveExceptions guardrailId={guardrail.id} />
    </span>
  );
}

/** Shown for an unassigned guardrail, with a link to its assignments. */
function UnassignedBadge({ guardrail }: { guardrail: Guardrail }) {
  const use = useGuardrailUse(guardrail.workspace_id, [guardrail.id])(guardrail.id);
  if (!use || use.is_default || assignedTo(use)) return null;
  return (
    <a href="#assignments" className="rounded-full">
      <Badge tone="warning">Unassigned, not enforced</Badge>
    </a>
  );
}

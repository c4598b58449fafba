"use client";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { toast } from "sonner";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { MonoId } from "@/components/ui/mono-id";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import type { Guardrail } from "@/lib/guardrails/contract";
import { assignedTo } from "./assigned-to";
import { DeleteGuardrail } from "./delete-guardrail";
import { GuardrailForm } from "./guardrail-form";
import { assignmentCountsQuery, guardrailQuery } from "./guardrail-queries";

const confirmSaved = ({ name }: Guardrail) => toast.success(`“${name}” saved`);

export function GuardrailEditor({ id }: { id: string }) {
  const router = useRouter();
  const guardrail = useQuery(guardrailQuery(id));
  const [toDelete, setToDelete] = useState<Guardrail | null>(null);
  return (
    <>
      <PageHeader
        title={guardrail.data?.name ?? "Guardrail"}
        badge={guardrail.data && <Badge>Revision {guardrail.data.revision}</Badge>}
        description={guardrail.data && <Facts guardrail={guardrail.data} />}
        action={guardrail.data && <Button onClick={() => setToDelete(guardrail.data)}>Delete…</Button>}
      />
      <DataState query={guardrail} subject="this guardrail" skeleton={<EditorSkeleton />}>
        {(data) => <GuardrailForm guardrail={data} onSaved={confirmSaved} />}
      </DataState>
      <DeleteGuardrail guardrail={toDelete} onClose={() => setToDelete(null)} onDeleted={() => router.push("/guardrails")} />
    </>
  );
}

function Facts({ guardrail }: { guardrail: Guardrail }) {
  const { data: counts } = useQuery(assignmentCountsQuery(guardrail.id));
  const holders = counts && assignedTo(counts);
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px]">
      <MonoId value={guardrail.id} name="guardrail id" />
      <span>
        Changed <RelativeTime at={guardrail.updated_at ?? guardrail.created_at} />
      </span>
      {counts && <span>{holders ? `Assigned to ${holders}` : "Assigned to no key and no member"}</span>}
    </span>
  );
}

function EditorSkeleton() {
  return (
    <div className="grid gap-6 lg:grid-cols-[10rem_minmax(0,48rem)]">
      <Skeleton className="hidden h-40 lg:block" />
      <div className="grid gap-4">
        <Skeleton className="h-56 rounded-lg" />
        <Skeleton className="h-52 rounded-lg" />
        <Skeleton className="h-52 rounded-lg" />
      </div>
    </div>
  );
}

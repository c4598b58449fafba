"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus, ShieldCheck } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { Pager, useOffset } from "@/components/layout/pager";
import { sessionQuery } from "@/components/session/session-queries";
import { Button } from "@/components/ui/button";
import { DataTable, DataTableSkeleton } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import type { Guardrail } from "@/lib/guardrails/contract";
import { DeleteGuardrail } from "./delete-guardrail";
import { guardrailColumns } from "./guardrail-columns";
import { guardrailListQuery } from "./guardrail-queries";

const createLink = (
  <Button asChild variant="primary">
    <Link href="/guardrails/new">
      <Plus aria-hidden /> New guardrail
    </Link>
  </Button>
);

export function GuardrailList() {
  const [offset] = useOffset();
  const guardrails = useQuery(guardrailListQuery(offset));
  const session = useQuery(sessionQuery);
  const [toDelete, setToDelete] = useState<Guardrail | null>(null);
  const columns = guardrailColumns(session.data?.zdr_vendors, setToDelete);
  return (
    <>
      <PageHeader
        title="Guardrails"
        description="What keys and members may use, what they may send, and what they may spend."
        action={createLink}
      />
      <DataState query={guardrails} subject="the guardrails" skeleton={<DataTableSkeleton columns={columns} />}>
        {({ data, total_count }) =>
          total_count === 0 ? (
            <EmptyState icon={ShieldCheck} title="No guardrails yet" action={createLink}>
              A guardrail limits models and providers, asks for zero data retention, filters content and caps spending. It takes effect once it is
              assigned to a key or a member.
            </EmptyState>
          ) : (
            <>
              <DataTable label="Guardrails" columns={columns} rows={data} rowKey={({ id }) => id} />
              <Pager total={total_count} shown={data.length} />
            </>
          )
        }
      </DataState>
      <DeleteGuardrail guardrail={toDelete} onClose={() => setToDelete(null)} />
    </>
  );
}

import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { GuardrailList } from "@/components/guardrails/guardrail-list";
import { guardrailListQuery } from "@/components/guardrails/guardrail-queries";
import { closestBudgetsQuery } from "@/components/guardrails/guardrail-use";
import { loadListState } from "@/components/layout/list-state";

export const metadata: Metadata = { title: "Guardrails" };

export default async function GuardrailsPage({ searchParams }: PageProps) {
  const state = await loadListState(searchParams);
  return (
    <Prefetch queries={[guardrailListQuery(state), closestBudgetsQuery(state.workspace)]}>
      <GuardrailList />
    </Prefetch>
  );
}

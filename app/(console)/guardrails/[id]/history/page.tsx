import type { Metadata } from "next";
import { createLoader } from "nuqs/server";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { guardrailQuery } from "@/components/guardrails/guardrail-queries";
import { GuardrailHistory } from "@/components/guardrails/history";
import { HISTORY_STATE, versionQuery, versionsQuery } from "@/components/guardrails/history-queries";

export const metadata: Metadata = { title: "Guardrail history" };

const loadState = createLoader(HISTORY_STATE);

export default async function GuardrailHistoryPage({ params, searchParams }: PageProps<{ id: string }>) {
  const { id } = await params;
  const { offset, from, to } = await loadState(searchParams);
  const compared = [from, to].flatMap((revision) => (revision === null ? [] : [versionQuery(id, revision)]));
  return (
    <Prefetch queries={[guardrailQuery(id), versionsQuery(id, offset), ...compared]}>
      <GuardrailHistory key={id} id={id} />
    </Prefetch>
  );
}

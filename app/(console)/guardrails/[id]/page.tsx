import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { activeExceptionsQuery } from "@/components/exceptions/exception-queries";
import { GuardrailEditor } from "@/components/guardrails/guardrail-editor";
import { guardrailQuery } from "@/components/guardrails/guardrail-queries";

export const metadata: Metadata = { title: "Guardrail" };

export default async function GuardrailPage({ params }: PageProps<{ id: string }>) {
  const { id } = await params;
  return (
    <Prefetch queries={[guardrailQuery(id), activeExceptionsQuery(id)]}>
      <GuardrailEditor key={id} id={id} />
    </Prefetch>
  );
}

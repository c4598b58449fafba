import type { Metadata } from "next";
import { GuardrailEditor } from "@/components/guardrails/guardrail-editor";

export const metadata: Metadata = { title: "Guardrail" };

export default async function GuardrailPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <GuardrailEditor key={id} id={id} />;
}

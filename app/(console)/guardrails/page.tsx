import type { Metadata } from "next";
import { GuardrailList } from "@/components/guardrails/guardrail-list";

export const metadata: Metadata = { title: "Guardrails" };

export default function GuardrailsPage() {
  return <GuardrailList />;
}

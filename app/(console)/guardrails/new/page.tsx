import type { Metadata } from "next";
import { NewGuardrail } from "@/components/guardrails/new-guardrail";

export const metadata: Metadata = { title: "New guardrail" };

export default function NewGuardrailPage() {
  return <NewGuardrail />;
}

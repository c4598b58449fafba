"use client";
import { useRouter } from "next/navigation";
import { toast } from "sonner";
import { PageHeader } from "@/components/layout/page-header";
import { GuardrailForm } from "./guardrail-form";

export function NewGuardrail() {
  const router = useRouter();
  return (
    <>
      <PageHeader title="New guardrail" description="It enforces nothing until it is assigned to a key or a member." />
      <GuardrailForm
        guardrail={null}
        onSaved={({ id, name }) => {
          toast.success(`“${name}” created`);
          router.push(`/guardrails/${id}`);
        }}
      />
    </>
  );
}

"use client";
import { useQuery } from "@tanstack/react-query";
import { TextLink } from "@/components/ui/text-link";
import { guardrailQuery } from "./guardrail-queries";

/** Link to a guardrail inside a row, by its name. */
export function GuardrailLink({ id }: { id: string }) {
  const { data } = useQuery(guardrailQuery(id));
  return (
    <TextLink href={`/guardrails/${id}`} className="relative z-10 break-words">
      {data?.data.name ?? "…"}
    </TextLink>
  );
}

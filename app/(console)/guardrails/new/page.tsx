import type { Metadata } from "next";
import { createLoader, parseAsString } from "nuqs/server";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { guardrailQuery } from "@/components/guardrails/guardrail-queries";
import { NewGuardrail } from "@/components/guardrails/new-guardrail";

export const metadata: Metadata = { title: "New guardrail" };

const loadState = createLoader({ from: parseAsString, workspace: parseAsString });

/** `?from=` is the ID of a guardrail to copy. */
export default async function NewGuardrailPage({ searchParams }: PageProps) {
  const { from, workspace } = await loadState(searchParams);
  return (
    <Prefetch queries={from === null ? [] : [guardrailQuery(from)]}>
      <NewGuardrail key={from} from={from} workspace={workspace} />
    </Prefetch>
  );
}

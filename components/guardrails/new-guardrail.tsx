"use client";
import { useQuery } from "@tanstack/react-query";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { Card } from "@/components/ui/card";
import { lazyComponent } from "@/components/ui/lazy-component";
import { toast } from "@/components/ui/toast";
import { usePageRouter } from "@/lib/browser/page-router";
import { EditorSkeleton } from "./editor-skeleton";
import { guardrailQuery } from "./guardrail-queries";
import { copyOf, EMPTY_VALUES, type GuardrailValues } from "./guardrail-values";
import { warningsText } from "./lint-text";

const GuardrailForm = lazyComponent(() => import("./guardrail-form").then((file) => file.GuardrailForm), {
  loading: EditorSkeleton,
});

interface NewGuardrailProps {
  /** ID of the guardrail to copy. */
  from: string | null;
  /** Target workspace; null for the default one. */
  workspace: string | null;
}

export function NewGuardrail({ from, workspace }: NewGuardrailProps) {
  return (
    <>
      <PageHeader title="New guardrail" description="Not enforced until assigned to a key or member." />
      {from === null ? (
        <Creation values={EMPTY_VALUES} workspace={workspace} />
      ) : (
        <Copy from={from} workspace={workspace} />
      )}
    </>
  );
}

function Copy({ from, workspace }: NewGuardrailProps & { from: string }) {
  const original = useQuery(guardrailQuery(from));
  return (
    <DataState query={original} subject="the guardrail to copy" skeleton={<EditorSkeleton />}>
      {({ data }) => <Creation values={copyOf(data)} workspace={workspace ?? data.workspace_id} />}
    </DataState>
  );
}

function Creation({ values, workspace }: { values: GuardrailValues; workspace: string | null }) {
  const router = usePageRouter();
  return (
    <GuardrailForm
      start={{ guardrail: null, values, workspace }}
      onSaved={({ id, name }, warnings) => {
        toast.success(`“${name}” created`, {
          description: ["Next, assign it to keys or members.", warningsText(warnings)].filter(Boolean).join(" "),
        });
        router.push(`/guardrails/${id}`);
      }}
      assignments={
        <Card id="assignments" title="Assignments">
          <p className="text-muted">Create the guardrail first, then assign it to keys and members here.</p>
        </Card>
      }
    />
  );
}

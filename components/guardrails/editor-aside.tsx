import { useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import type { UseFormReturn } from "react-hook-form";
import { TestsPanel } from "@/components/policy-tests/tests-panel";
import { ImpactPanel } from "@/components/replay/impact-panel";
import { TestPanel } from "@/components/policy/test-panel";
import { sessionQuery } from "@/components/session/session-queries";
import { Card } from "@/components/ui/card";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import type { GuardrailField, GuardrailValues } from "./guardrail-values";
import { LintPanel } from "./lint-panel";
import { lintableDraft, triableDraft } from "./lint-queries";
import { useValues } from "./use-values";
import { guardrailEffects } from "./guardrail-effects";

interface EditorAsideProps {
  form: UseFormReturn<GuardrailValues>;
  /** Null for a new guardrail. */
  guardrail: Guardrail | null;
  workspace: string | null;
}

/** Side panel that explains, checks and tests the draft. */
export function EditorAside({ form, guardrail, workspace }: EditorAsideProps) {
  const values = useDeferredValue(useValues(form.control));
  const fix = (field: GuardrailField, value: unknown) =>
    form.setValue(field, value as GuardrailValues[GuardrailField], { shouldDirty: true, shouldValidate: true });
  return (
    <aside
      aria-label="Draft details"
      className="grid gap-4 xl:sticky xl:top-28 xl:max-h-[calc(100dvh-12rem)] xl:overflow-y-auto 2xl:top-19 2xl:max-h-[calc(100dvh-9.5rem)]"
    >
      <GuardrailEffects values={values} />
      <LintPanel draft={values} guardrailId={guardrail?.id} workspaceId={workspace ?? undefined} onFix={fix} />
      <ImpactPanel
        guardrail={
          lintableDraft(values, guardrail ? { id: guardrail.id } : workspace ? { workspace_id: workspace } : {}).fields
        }
      />
      {guardrail && <TestsPanel guardrail={guardrail} changes={lintableDraft(values, {}).fields} />}
      <TestPanel
        testGuardrail={guardrail}
        draft={triableDraft(values, guardrail ? { id: guardrail.id } : {})}
        guardrailId={guardrail?.id}
        workspaceId={workspace ?? undefined}
      />
    </aside>
  );
}

function GuardrailEffects({ values }: { values: GuardrailValues }) {
  const { data: session } = useQuery(sessionQuery);
  const sentences = guardrailEffects(values, session?.zdr_vendors);
  return (
    <Card id="what-it-does" title="What this does">
      {sentences.length === 0 ? (
        <p className="text-muted">
          No restrictions yet: all models and providers allowed, no filters, no spending limit.
        </p>
      ) : (
        <ul className="grid list-disc gap-1.5 pl-4 marker:text-muted">
          {sentences.map((sentence) => (
            <li key={sentence} className="wrap-anywhere">
              {sentence}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

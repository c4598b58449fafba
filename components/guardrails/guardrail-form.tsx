"use client";
import type { ReactNode } from "react";
import { lazyComponent } from "@/components/ui/lazy-component";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import type { LintFinding } from "@/lib/features/lint/contract";
import { BasicsSection } from "./basics-section";
import { BudgetSection } from "./budget-section";
import { ChecksSection } from "./checks-section";
import { DataRegionsSection } from "./data-regions-section";
import { EditorAside } from "./editor-aside";
import { FiltersSection } from "./filters-section";
import type { GuardrailField, GuardrailValues } from "./guardrail-values";
import { JudgesSection } from "./judges-section";
import { LintConfirmation } from "./lint-confirmation";
import { RoutingSection } from "./routing-section";
import { SaveBar } from "./save-bar";
import { SettingsCard } from "@/components/form/settings-row";
import { SectionOutline } from "./section-outline";
import { useGuardrailEditor, type EditorStart } from "./use-guardrail-editor";
import { ZdrSection } from "./zdr-section";

const MergeDialog = lazyComponent(() => import("./merge-dialog").then((file) => file.MergeDialog));

const FORM_ID = "guardrail-form";

interface GuardrailFormProps {
  start: EditorStart;
  onSaved: (saved: Guardrail, warnings: readonly LintFinding[]) => void;
  /** The last section. It saves independently of the form. */
  assignments: ReactNode;
}

export function GuardrailForm({ start, onSaved, assignments }: GuardrailFormProps) {
  const { form, startValues, save, message, lintErrors, failure, conflict } = useGuardrailEditor(start, onSaved);
  const { control } = form;
  return (
    <>
      <div className="2xl:grid 2xl:grid-cols-[10rem_minmax(0,1fr)] 2xl:gap-6">
        <SectionOutline control={control} />
        <div className="mt-3 grid items-start gap-x-4 gap-y-6 lg:grid-cols-[minmax(0,1fr)_22rem] 2xl:mt-0 2xl:grid-cols-[minmax(0,1fr)_26rem]">
          <div className="grid min-w-0 gap-4">
            <form
              id={FORM_ID}
              noValidate
              className="grid gap-4"
              onSubmit={(event) => {
                event.preventDefault();
                void save();
              }}
            >
              <SettingsCard>
                <BasicsSection control={control} />
                <RoutingSection control={control} noun="models" />
                <RoutingSection control={control} noun="providers" />
                <DataRegionsSection control={control} />
                <ZdrSection control={control} />
                <BudgetSection control={control} />
              </SettingsCard>
              <FiltersSection form={form} />
              <ChecksSection form={form} />
              <JudgesSection form={form} />
            </form>
            {assignments}
          </div>
          <EditorAside
            form={form}
            guardrail={start.guardrail}
            workspace={start.guardrail?.workspace_id ?? (start.guardrail === null ? start.workspace : null)}
          />
        </div>
      </div>
      <SaveBar
        form={form}
        formId={FORM_ID}
        isNew={start.guardrail === null}
        startValues={startValues}
        message={message}
        failure={failure}
        onSave={() => void save()}
      />
      {lintErrors && (
        <LintConfirmation
          {...lintErrors}
          onFix={(path, value) => {
            form.setValue(path, value as GuardrailValues[GuardrailField], { shouldDirty: true, shouldValidate: true });
            void save();
          }}
        />
      )}
      {conflict && <MergeDialog key={conflict.newer.revision} conflict={conflict} />}
    </>
  );
}

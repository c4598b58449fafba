"use client";
import type { ReactNode } from "react";
import { type Control, useFormState, useWatch, type UseFormReturn } from "react-hook-form";
import { useQuery } from "@tanstack/react-query";
import { lazyComponent } from "@/components/ui/lazy-component";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import type { LintFinding } from "@/lib/features/lint/contract";
import { SettingsCard, FieldPair, SettingsRow } from "@/components/form/settings-row";
import { SettingsDisclosure } from "@/components/form/settings-disclosure";
import { sessionQuery } from "@/components/session/session-queries";
import { AmountField } from "@/components/form/amount-field";
import { SelectField } from "@/components/form/select-field";
import { SwitchField } from "@/components/form/switch-field";
import { INTERVAL_OPTIONS } from "@/components/form/interval-options";
import { Alert } from "@/components/ui/alert";
import { PickerField } from "@/components/form/picker-field";
import { DATA_REGIONS } from "@/lib/engine/vocabulary";
import { BasicsSection } from "./basics-section";
import { ChecksSection } from "./checks-section";
import { EditorAside } from "./editor-aside";
import { CustomFilters } from "./custom-filters";
import { OtherFilters, PersonalDataSection } from "./filters-section";
import type { GuardrailField, GuardrailValues } from "./guardrail-values";
import { JudgesSection } from "./judges-section";
import { ReadOnlyNotice } from "@/components/session/may";
import { useMay } from "@/components/session/user-context";
import { LintConfirmation } from "./lint-confirmation";
import { SaveBar } from "./save-bar";
import { sectionSummaries, type ClosedSection } from "./section-summaries";
import { errorsIn } from "./sections";
import { useErrorFocus } from "./use-error-focus";
import { useValues } from "./use-values";
import { useGuardrailEditor, type EditorStart } from "./use-guardrail-editor";
import { ZdrSection } from "./zdr-section";
import { FIELD_LABELS } from "./field-labels";
import { expansionText, useModelListOptions, useProviderListOptions } from "./routing-options";

const MergeDialog = lazyComponent(() => import("./merge-dialog").then((file) => file.MergeDialog));

const FORM_ID = "guardrail-form";

interface GuardrailFormProps {
  start: EditorStart;
  onSaved: (saved: Guardrail, warnings: readonly LintFinding[]) => void;
  /** The last section. It saves independently of the form. */
  assignments: ReactNode;
}

export function GuardrailForm({ start, onSaved, assignments }: GuardrailFormProps) {
  const canEdit = useMay("guardrails:write");
  const { form, startValues, save, message, lintErrors, failure, conflict } = useGuardrailEditor(start, onSaved);
  const { control } = form;
  useErrorFocus(control, FORM_ID);
  return (
    <>
      <a
        href="#tools"
        className="mb-3 inline-block rounded-sm text-[13px] text-accent underline underline-offset-2 lg:hidden"
      >
        Summary &amp; tests
      </a>
      <div className="grid items-start gap-x-4 gap-y-6 lg:grid-cols-[minmax(0,1fr)_22rem] 2xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="grid min-w-0 gap-4">
          <form
            id={FORM_ID}
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              void save();
            }}
          >
            <SettingsCard>
              <BasicsSection control={control} />
              <SettingsRow id="models" title="Models" description="Blocking takes precedence.">
                <RoutingFields control={control} noun="models" />
              </SettingsRow>
              <BudgetSection control={control} />
              <PersonalDataSection control={control} />
              <ClosedSections form={form} />
            </SettingsCard>
          </form>
          {assignments}
        </div>
        <EditorAside
          form={form}
          guardrail={start.guardrail}
          workspace={start.guardrail?.workspace_id ?? (start.guardrail === null ? start.workspace : null)}
        />
      </div>
      {canEdit ? (
        <SaveBar
          form={form}
          formId={FORM_ID}
          isNew={start.guardrail === null}
          startValues={startValues}
          message={message}
          failure={failure}
          onSave={() => void save()}
        />
      ) : (
        <ReadOnlyNotice permission="guardrails:write" />
      )}
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

function BudgetSection({ control }: { control: Control<GuardrailValues> }) {
  const [limit, interval, includesByok] = useWatch({
    control,
    name: ["limit_usd", "reset_interval", "include_byok_in_budgets"],
  });
  return (
    <SettingsRow id="budget" title="Budget" description="Each assigned key and member has its own.">
      <FieldPair>
        <AmountField control={control} name="limit_usd" label="Limit (USD)" placeholder="No limit" />
        <SelectField control={control} name="reset_interval" label="Resets" none="Never" options={INTERVAL_OPTIONS} />
      </FieldPair>
      {interval !== null && limit !== null && (
        <p className="text-[13px] text-muted">Resets at midnight UTC. Weeks start on Monday.</p>
      )}
      {limit === null && interval !== null && (
        <Alert kind="warning" title="The interval has no effect without a limit." />
      )}
      {(limit !== null || includesByok) && (
        <SwitchField
          control={control}
          name="include_byok_in_budgets"
          label="Include spend on your own provider keys (BYOK)"
        />
      )}
    </SettingsRow>
  );
}

const OPTIONS = DATA_REGIONS.map((value) => ({ value }));

function DataRegions({ control }: { control: Control<GuardrailValues> }) {
  return (
    <PickerField
      control={control}
      name="allowed_data_regions"
      label={FIELD_LABELS.allowed_data_regions}
      options={OPTIONS}
      placeholder="All regions"
    />
  );
}

interface RoutingProps {
  control: Control<GuardrailValues>;
  noun: "models" | "providers";
}

const USE_OPTIONS = { models: useModelListOptions, providers: useProviderListOptions } as const;

function RoutingFields({ control, noun }: RoutingProps) {
  const { options, expand } = USE_OPTIONS[noun]();
  const [allowed, ignored] = useWatch({ control, name: [`allowed_${noun}`, `ignored_${noun}`] });
  return (
    <FieldPair>
      <PickerField
        control={control}
        options={options}
        name={`allowed_${noun}`}
        label={`Allowed ${noun}`}
        hint={expansionText(allowed, expand)}
        placeholder={`All ${noun}`}
      />
      <PickerField
        control={control}
        options={options}
        name={`ignored_${noun}`}
        label={`Blocked ${noun}`}
        hint={expansionText(ignored, expand)}
        placeholder="None"
      />
    </FieldPair>
  );
}

/** Sections that few guardrails use, each with a line on what it contains. */
function ClosedSections({ form }: { form: UseFormReturn<GuardrailValues> }) {
  const { control } = form;
  const { data: session } = useQuery(sessionQuery);
  const { errors } = useFormState({ control });
  const summaries = sectionSummaries(useValues(control), session?.zdr_vendors);
  const closed = (id: ClosedSection) => ({ id, summary: summaries[id], errors: errorsIn(id, errors) });
  return (
    <>
      <SettingsDisclosure
        {...closed("injection")}
        title="Prompt injection and secrets"
        description="Flag logs a match, Redact replaces it with its label, Block rejects it."
      >
        <OtherFilters control={control} />
      </SettingsDisclosure>
      <SettingsDisclosure
        {...closed("patterns")}
        title="Custom patterns"
        description="Regular expressions for a linear-time engine (no lookaround or backreferences). Redacted text is replaced with the label."
      >
        <CustomFilters form={form} />
      </SettingsDisclosure>
      <SettingsDisclosure {...closed("providers")} title="Providers" description="Blocking takes precedence.">
        <RoutingFields control={control} noun="providers" />
      </SettingsDisclosure>
      <SettingsDisclosure {...closed("data-regions")} title="Data regions" description="Global endpoints run anywhere.">
        <DataRegions control={control} />
      </SettingsDisclosure>
      <SettingsDisclosure {...closed("zdr")} title="Zero data retention" description="Only zero-retention endpoints.">
        <ZdrSection control={control} />
      </SettingsDisclosure>
      <SettingsDisclosure {...closed("checks")} title="External checks">
        <ChecksSection form={form} />
      </SettingsDisclosure>
      <SettingsDisclosure {...closed("judges")} title="Model judges">
        <JudgesSection form={form} />
      </SettingsDisclosure>
    </>
  );
}

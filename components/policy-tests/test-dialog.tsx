"use client";
import { useQuery } from "@tanstack/react-query";
import { useForm, useWatch, type Control } from "react-hook-form";
import { guardrailQuery } from "@/components/guardrails/guardrail-queries";
import { sessionQuery } from "@/components/session/session-queries";
import { liftableRules } from "@/components/exceptions/liftable-rules";
import { MutationForm } from "@/components/form/mutation-form";
import { SelectField } from "@/components/form/select-field";
import { TextField } from "@/components/form/text-field";
import { modelListQuery } from "@/components/policy/test-panel-queries";
import { Alert } from "@/components/ui/alert";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { useSavePolicyTest } from "./policy-test-queries";
import {
  ANY_RULE,
  deciderOf,
  OUTCOME_OPTIONS,
  toPolicyTest,
  toTestValues,
  type TestStart,
  type TestValues,
} from "./test-values";
import { ruleName } from "@/lib/engine/filters/vocabulary";

interface TestDialogProps {
  start: TestStart;
  /** ID of the test to edit; null for a new one. */
  testId?: string | null;
  /** Guardrails the test can belong to; the first is preselected. */
  guardrails: readonly { id: string; name: string }[];
  /** Note about missing parts of the request. */
  note?: string | undefined;
  onClose: () => void;
}

/** Edits a request and the outcome a guardrail on its own must produce. */
export function TestDialog({ start, testId = null, guardrails, note, onClose }: TestDialogProps) {
  const save = useSavePolicyTest();
  const form = useForm<TestValues>({ defaultValues: toTestValues(start, guardrails[0]?.id ?? "") });
  const { control } = form;
  const [guardrailId, json, outcome] = useWatch({ control, name: ["guardrailId", "json", "outcome"] });
  const named = guardrails.find(({ id }) => id === guardrailId);
  const deciders = useDeciders(guardrailId, start);
  const toVariables = (values: TestValues) => {
    const body = toPolicyTest(values, start.protocol);
    if (!("message" in body)) return { guardrailId, testId, body };
    form.setError(body.field, { message: body.message }, { shouldFocus: true });
    return null;
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={testId === null ? "New policy test" : "Edit policy test"}
      description={`Runs on every edit of ${named ? `“${named.name}”` : "the guardrail"}, without calling a model.`}
      className="max-w-xl"
    >
      <MutationForm
        form={form}
        mutation={save}
        toVariables={toVariables}
        onSaved={({ data }) => {
          toast.success(`Test “${data.name}” saved`);
          onClose();
        }}
        action={testId === null ? "Add test" : "Save test"}
        onCancel={onClose}
      >
        {note && <Alert kind="info" title={note} />}
        <TextField
          control={control}
          name="name"
          label="Name"
          input={{ autoComplete: "off", placeholder: "Describe what this test checks" }}
        />
        {guardrails.length > 1 && (
          <SelectField
            control={control}
            name="guardrailId"
            label="Guardrail"
            options={guardrails.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        <RequestFields control={control} isJson={json !== null} />
        <TextField
          control={control}
          name="answer"
          label="Response (optional)"
          hint="A model’s response, to test filters and checks of responses."
          rows={2}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField control={control} name="outcome" label="Expected outcome" options={OUTCOME_OPTIONS} />
          {outcome !== "allowed" && (
            <SelectField control={control} name="decider" label="Deciding rule" options={deciders} />
          )}
        </div>
      </MutationForm>
    </Dialog>
  );
}

/** Fields of the request: a prompt and its model, or the whole request as JSON. */
function RequestFields({ control, isJson }: { control: Control<TestValues>; isJson: boolean }) {
  const models = useQuery(modelListQuery).data?.data ?? [];
  if (isJson) return <TextField control={control} name="json" label="Request, as JSON" rows={8} />;
  return (
    <>
      <TextField control={control} name="prompt" label="Prompt" rows={4} />
      <TextField
        control={control}
        name="model"
        label="Model"
        suggestions={models.map(({ slug, name }) => ({ value: slug, label: name }))}
      />
    </>
  );
}

/** Selectable deciding rules, including the one the test already names. */
function useDeciders(guardrailId: string, { expected: { field, rule } }: TestStart) {
  const guardrail = useQuery({ ...guardrailQuery(guardrailId), enabled: guardrailId !== "" }).data?.data;
  const vendors = useQuery(sessionQuery).data?.zdr_vendors ?? [];
  const rules = (guardrail ? liftableRules(guardrail, vendors) : []).map((one) => ({
    value: deciderOf(one.field, one.decidedAs),
    label: one.words,
  }));
  const named = { value: deciderOf(field, rule), label: ruleName({ field, rule }) ?? field ?? "" };
  const all = [{ value: ANY_RULE, label: "Any rule" }, ...rules, named];
  return [...new Map(all.toReversed().map((option) => [option.value, option])).values()].toReversed();
}

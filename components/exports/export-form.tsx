"use client";
import { useForm, useWatch } from "react-hook-form";
import { Field } from "@/components/form/field";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { SelectField } from "@/components/form/select-field";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { CreateExportBody, UpdateExportBody, type ExportDestination } from "@/lib/features/exports/contract";
import { EXPORT_KINDS, type ExportKind } from "@/lib/features/exports/vocabulary";
import { ExportFields } from "./export-fields";
import { useCreateExport, useUpdateExport } from "./export-queries";
import { KIND_LABELS } from "./export-text";
import { EMPTY, targetOf, valuesOf, type ExportValues, type NewExportValues } from "./export-values";

const checkNew = formResolver(CreateExportBody);
const checkChanges = formResolver(UpdateExportBody);

const KIND_OPTIONS = EXPORT_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }));
const START_OPTIONS = [
  { value: "now", label: "New generations" },
  { value: "oldest", label: "All generations in the log, then new ones" },
];

export function NewExportForm({ onCreated }: { onCreated: (id: string) => void }) {
  const creation = useCreateExport();
  const form = useForm<NewExportValues, unknown, CreateExportBody>({ resolver: checkNew, defaultValues: EMPTY });
  const { control } = form;
  const kind = useWatch({ control, name: "kind" });
  const chooseKind = (next: ExportKind) => {
    const { otlp, s3 } = targetOf(next);
    form.clearErrors();
    form.setValue("kind", next, { shouldDirty: true });
    form.setValue("otlp", otlp);
    form.setValue("s3", s3);
  };
  return (
    <MutationForm
      form={form}
      mutation={creation}
      onSaved={({ data }) => {
        toast.success("Export destination created");
        onCreated(data.id);
      }}
      action="Create destination"
      isGuarded
      label="Export destination"
    >
      <Field label="Kind" errors={[]}>
        {(wiring) => <Select {...wiring} autoFocus value={kind} onValueChange={chooseKind} options={KIND_OPTIONS} />}
      </Field>
      <ExportFields key={kind} kind={kind} />
      <SelectField control={control} name="start" label="Export" options={START_OPTIONS} />
    </MutationForm>
  );
}

/** Changes a stored destination and keeps its position in the log. */
export function ExportForm({ destination }: { destination: ExportDestination }) {
  const update = useUpdateExport(destination.id);
  const form = useForm<ExportValues, unknown, UpdateExportBody>({
    resolver: checkChanges,
    defaultValues: valuesOf(destination),
  });
  return (
    <MutationForm
      form={form}
      mutation={update}
      onSaved={({ data }) => {
        form.reset(valuesOf(data));
        toast.success("Export destination saved");
      }}
      action="Save changes"
      isEdit
      isGuarded
      label="Export destination"
    >
      <ExportFields key={destination.updated_at} kind={destination.kind} stored={destination} />
    </MutationForm>
  );
}

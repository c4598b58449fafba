"use client";
import { useForm, useWatch, type Control } from "react-hook-form";
import { Field } from "@/components/form/field";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { SelectField } from "@/components/form/select-field";
import { showFailure } from "@/components/form/show-failure";
import { UnsavedGuard } from "@/components/form/unsaved-guard";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
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
  const { control, formState } = form;
  const kind = useWatch({ control, name: "kind" });
  const chooseKind = (next: ExportKind) => {
    const { otlp, s3 } = targetOf(next);
    form.clearErrors();
    form.setValue("kind", next, { shouldDirty: true });
    form.setValue("otlp", otlp);
    form.setValue("s3", s3);
  };
  const submit = form.handleSubmit((body) =>
    creation.mutate(body, {
      onError: (reason) => showFailure(form, toFailure(reason)),
      onSuccess: ({ data }) => {
        toast.success("Export destination created");
        onCreated(data.id);
      },
    }),
  );
  return (
    <form noValidate aria-label="Export destination" onSubmit={(event) => void submit(event)} className="grid gap-4">
      <Field label="Kind" errors={[]}>
        {(wiring) => <Select {...wiring} autoFocus value={kind} onValueChange={chooseKind} options={KIND_OPTIONS} />}
      </Field>
      <ExportFields key={kind} control={control as unknown as Control<ExportValues>} kind={kind} />
      <SelectField control={control} name="start" label="Export" options={START_OPTIONS} />
      {creation.error && <FailureAlert failure={toFailure(creation.error)} control={form.control} />}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" disabled={creation.isPending}>
          Create destination
        </Button>
      </div>
      <UnsavedGuard isDirty={formState.isDirty && !creation.isSuccess} />
    </form>
  );
}

/** Changes a stored destination; its position stays. */
export function ExportForm({ destination }: { destination: ExportDestination }) {
  const update = useUpdateExport(destination.id);
  const form = useForm<ExportValues, unknown, UpdateExportBody>({
    resolver: checkChanges,
    defaultValues: valuesOf(destination),
  });
  const { control, formState } = form;
  const submit = form.handleSubmit((body) =>
    update.mutate(body, {
      onError: (reason) => showFailure(form, toFailure(reason)),
      onSuccess: ({ data }) => {
        form.reset(valuesOf(data));
        toast.success("Export destination saved");
      },
    }),
  );
  return (
    <form noValidate aria-label="Export destination" onSubmit={(event) => void submit(event)} className="grid gap-4">
      <ExportFields key={destination.updated_at} control={control} kind={destination.kind} stored={destination} />
      {update.error && <FailureAlert failure={toFailure(update.error)} control={form.control} />}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" disabled={update.isPending || !formState.isDirty}>
          Save changes
        </Button>
      </div>
      <UnsavedGuard isDirty={formState.isDirty} />
    </form>
  );
}

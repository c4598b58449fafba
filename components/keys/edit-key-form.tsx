"use client";
import { useForm } from "react-hook-form";
import { useFreshErrors } from "@/components/form/use-fresh-errors";
import type { z } from "zod";
import { AmountField } from "@/components/form/amount-field";
import { DateTimeField } from "@/components/form/date-time-field";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { INTERVAL_OPTIONS } from "@/components/form/interval-options";
import { SelectField } from "@/components/form/select-field";
import { showFailure } from "@/components/form/show-failure";
import { SwitchField } from "@/components/form/switch-field";
import { TagsField } from "@/components/form/tags-field";
import { TextField } from "@/components/form/text-field";
import { UnsavedGuard } from "@/components/form/unsaved-guard";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { UpdateKeyBody, type Key } from "@/lib/records/keys/contract";
import { useUpdateKey } from "./key-queries";

const checkBody = formResolver(UpdateKeyBody);

type Values = z.input<typeof UpdateKeyBody>;
const FIELDS = ["name", "tags", "limit", "limit_reset", "include_byok_in_limit", "expires_at"] as const;

const valuesOf = ({ name, tags, limit, limit_reset, include_byok_in_limit, expires_at }: Key): Values => ({
  name,
  tags,
  limit,
  limit_reset,
  include_byok_in_limit,
  expires_at,
});

/** Edits name, limit and expiration. Sends only changed fields, so that a past expiration can stay. */
export function EditKeyForm({ record }: { record: Key }) {
  const update = useUpdateKey(record.hash);
  const form = useForm<Values>({
    resolver: checkBody,
    values: valuesOf(record),
    resetOptions: { keepDirtyValues: true },
  });
  useFreshErrors(form);
  const { control, formState } = form;
  const { isDirty, dirtyFields } = formState;
  const submit = form.handleSubmit((values) => {
    const changed = FIELDS.filter((field) => dirtyFields[field]);
    update.mutate(Object.fromEntries(changed.map((field) => [field, values[field]])), {
      onSuccess: ({ data }) => {
        form.reset(valuesOf(data));
        toast.success(`“${data.name}” saved`);
      },
      onError: (error) => showFailure(form, toFailure(error)),
    });
  });
  return (
    <Card id="settings" title="Settings">
      <form noValidate aria-labelledby="settings-title" onSubmit={(event) => void submit(event)} className="grid gap-4">
        <TextField control={control} name="name" label="Name" input={{ autoComplete: "off" }} />
        <TagsField control={control} name="tags" />
        <div className="grid grid-cols-2 gap-3">
          <AmountField control={control} name="limit" label="Limit (USD)" hint="Leave blank for no limit." />
          <SelectField control={control} name="limit_reset" label="Resets" none="Never" options={INTERVAL_OPTIONS} />
        </div>
        <SwitchField
          control={control}
          name="include_byok_in_limit"
          label="Include spend on your own provider keys (BYOK)"
        />
        <DateTimeField
          control={control}
          name="expires_at"
          label="Expires"
          hint="Local time. Leave blank for no expiration."
        />
        {update.error && <FailureAlert failure={toFailure(update.error)} control={form.control} />}
        <div className="flex justify-end gap-2">
          {isDirty && (
            <Button onClick={() => form.reset(valuesOf(record), { keepDirtyValues: false })}>Discard changes</Button>
          )}
          <Button type="submit" variant="primary" disabled={!isDirty || update.isPending}>
            Save changes
          </Button>
        </div>
      </form>
      <UnsavedGuard isDirty={isDirty} />
    </Card>
  );
}

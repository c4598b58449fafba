"use client";
import { useFreshErrors } from "@/components/form/use-fresh-errors";
import type { z } from "zod";
import { AmountField } from "@/components/form/amount-field";
import { DateTimeField } from "@/components/form/date-time-field";
import { formResolver } from "@/components/form/form-resolver";
import { INTERVAL_OPTIONS } from "@/components/form/interval-options";
import { MutationForm } from "@/components/form/mutation-form";
import { SelectField } from "@/components/form/select-field";
import { SwitchField } from "@/components/form/switch-field";
import { TagsField } from "@/components/form/tags-field";
import { TextField } from "@/components/form/text-field";
import { useEditForm } from "@/components/form/use-edit-form";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { UpdateKeyBody, type Key } from "@/lib/records/keys/contract";
import { KeyRoleFields } from "./key-role-fields";
import { useUpdateKey } from "./key-queries";

const checkBody = formResolver(UpdateKeyBody);

type Values = z.input<typeof UpdateKeyBody>;

const valuesOf = ({
  name,
  role,
  workspace_roles,
  tags,
  limit,
  limit_reset,
  include_byok_in_limit,
  expires_at,
}: Key): Values => ({
  name,
  role,
  workspace_roles,
  tags,
  limit,
  limit_reset,
  include_byok_in_limit,
  expires_at,
});

/** Edits name, limit and expiration. Only changed fields are sent, so a past expiration can stay. */
export function EditKeyForm({ record }: { record: Key }) {
  const update = useUpdateKey(record.hash);
  const edit = useEditForm({
    resolver: checkBody,
    stored: record,
    valuesOf,
    onSaved: ({ name }) => toast.success(`“${name}” saved`),
  });
  useFreshErrors(edit.form);
  const { control } = edit.form;
  return (
    <Card id="settings" title="Settings">
      <MutationForm {...edit} mutation={update} action="Save changes" inCard labelledBy="settings-title">
        <TextField control={control} name="name" label="Name" input={{ autoComplete: "off" }} />
        {record.kind === "management" && <KeyRoleFields control={control} />}
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
      </MutationForm>
    </Card>
  );
}

"use client";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { SelectField } from "@/components/form/select-field";
import { showFailure } from "@/components/form/show-failure";
import { TagsField } from "@/components/form/tags-field";
import { TextField } from "@/components/form/text-field";
import { UnsavedGuard } from "@/components/form/unsaved-guard";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { UpdateMemberBody, type Member } from "@/lib/records/members/contract";
import { memberName } from "./member-name";
import { useUpdateMember } from "./member-queries";
import { ROLE_OPTIONS } from "./role-options";

const checkBody = formResolver(UpdateMemberBody);

const valuesOf = ({ first_name, last_name, role, tags }: Member) => ({ first_name, last_name, role, tags });

/** Edits name, role and tags. Changing the role signs the member out everywhere. */
export function EditMemberForm({ member }: { member: Member }) {
  const update = useUpdateMember(member.id);
  const form = useForm<z.input<typeof UpdateMemberBody>>({
    resolver: checkBody,
    values: valuesOf(member),
    resetOptions: { keepDirtyValues: true },
  });
  const { control, formState } = form;
  const { isDirty } = formState;
  const submit = form.handleSubmit((body) =>
    update.mutate(body, {
      onSuccess: ({ data }) => {
        form.reset(valuesOf(data));
        toast.success(`${memberName(data)} saved`);
      },
      onError: (error) => showFailure(form, toFailure(error)),
    }),
  );
  const discard = () => {
    form.reset();
    update.reset();
  };
  return (
    <Card id="settings" title="Settings">
      <form noValidate aria-labelledby="settings-title" onSubmit={(event) => void submit(event)} className="grid gap-4">
        <TextField control={control} name="first_name" label="First name" isNullable input={{ autoComplete: "off" }} />
        <TextField control={control} name="last_name" label="Last name" isNullable input={{ autoComplete: "off" }} />
        <SelectField
          control={control}
          name="role"
          label="Role"
          hint="Changing the role signs this member out everywhere."
          options={ROLE_OPTIONS}
        />
        <TagsField control={control} name="tags" />
        {update.error && <FailureAlert failure={toFailure(update.error)} control={form.control} />}
        <div className="flex justify-end gap-2">
          {isDirty && <Button onClick={discard}>Discard changes</Button>}
          <Button type="submit" variant="primary" disabled={!isDirty || update.isPending}>
            Save changes
          </Button>
        </div>
      </form>
      <UnsavedGuard isDirty={isDirty} />
    </Card>
  );
}

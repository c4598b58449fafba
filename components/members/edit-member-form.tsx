"use client";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { SelectField } from "@/components/form/select-field";
import { TagsField } from "@/components/form/tags-field";
import { TextField } from "@/components/form/text-field";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
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
  const { control } = form;
  return (
    <Card id="settings" title="Settings">
      <MutationForm
        form={form}
        mutation={update}
        onSaved={({ data }) => {
          form.reset(valuesOf(data));
          toast.success(`${memberName(data)} saved`);
        }}
        action="Save changes"
        isEdit
        isGuarded
        inCard
        labelledBy="settings-title"
      >
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
      </MutationForm>
    </Card>
  );
}

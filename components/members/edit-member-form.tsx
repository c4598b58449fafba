"use client";
import type { z } from "zod";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { SelectField } from "@/components/form/select-field";
import { TagsField } from "@/components/form/tags-field";
import { TextField } from "@/components/form/text-field";
import { useEditForm } from "@/components/form/use-edit-form";
import { useCovers, useRoleOptions } from "@/components/roles/role-queries";
import { WorkspaceRolesField } from "@/components/roles/workspace-roles-field";
import { useMay } from "@/components/session/user-context";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { UpdateMemberBody, type Member } from "@/lib/records/members/contract";
import { memberName } from "./member-name";
import { useUpdateMember } from "./member-queries";

const checkBody = formResolver(UpdateMemberBody);

const valuesOf = ({
  first_name,
  last_name,
  role,
  workspace_roles,
  tags,
}: Member): z.input<typeof UpdateMemberBody> => ({
  first_name,
  last_name,
  role,
  workspace_roles,
  tags,
});

/** Edits name, roles and tags. Changing the role signs the member out everywhere. */
export function EditMemberForm({ member }: { member: Member }) {
  const update = useUpdateMember(member.id);
  const roles = useRoleOptions();
  const covers = useCovers(member);
  const canChangeRoles = useMay("roles:write") && covers;
  const edit = useEditForm({
    resolver: checkBody,
    stored: member,
    valuesOf,
    onSaved: (saved) => toast.success(`${memberName(saved)} saved`),
  });
  const { control } = edit.form;
  return (
    <Card id="settings" title="Settings">
      <MutationForm {...edit} mutation={update} action="Save changes" inCard labelledBy="settings-title">
        <TextField control={control} name="first_name" label="First name" isNullable input={{ autoComplete: "off" }} />
        <TextField control={control} name="last_name" label="Last name" isNullable input={{ autoComplete: "off" }} />
        {canChangeRoles && (
          <>
            <SelectField
              control={control}
              name="role"
              label="Role"
              hint="Changing the role signs this member out everywhere."
              options={roles}
            />
            <WorkspaceRolesField control={control} name="workspace_roles" />
          </>
        )}
        <TagsField control={control} name="tags" />
      </MutationForm>
    </Card>
  );
}

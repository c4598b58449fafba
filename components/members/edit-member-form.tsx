"use client";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { SelectField } from "@/components/form/select-field";
import { TagsField } from "@/components/form/tags-field";
import { TextField } from "@/components/form/text-field";
import { useRoleOptions } from "@/components/roles/role-queries";
import { WorkspaceRolesField } from "@/components/roles/workspace-roles-field";
import { useMay } from "@/components/session/user-context";
import { Card } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { UpdateMemberBody, type Member } from "@/lib/records/members/contract";
import { memberName } from "./member-name";
import { useUpdateMember } from "./member-queries";

const checkBody = formResolver(UpdateMemberBody);

const FIELDS = ["first_name", "last_name", "role", "workspace_roles", "tags"] as const;

const valuesOf = ({ first_name, last_name, role, workspace_roles, tags }: Member) => ({
  first_name,
  last_name,
  role,
  workspace_roles,
  tags,
});

/** Edits name, roles and tags, and sends only what changed. Changing the role signs the member out everywhere. */
export function EditMemberForm({ member }: { member: Member }) {
  const update = useUpdateMember(member.id);
  const roles = useRoleOptions();
  const own = roles.find(({ value }) => value === member.role);
  const canChangeRoles = useMay("roles:write") && !own?.isDisabled;
  const form = useForm<z.input<typeof UpdateMemberBody>, unknown, UpdateMemberBody>({
    resolver: checkBody,
    values: valuesOf(member),
    resetOptions: { keepDirtyValues: true },
  });
  const { control, formState } = form;
  const { dirtyFields } = formState;
  const changesOf = (values: UpdateMemberBody) =>
    Object.fromEntries(FIELDS.filter((field) => dirtyFields[field]).map((field) => [field, values[field]]));
  return (
    <Card id="settings" title="Settings">
      <MutationForm
        form={form}
        mutation={update}
        toVariables={changesOf}
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

import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { SelectField } from "@/components/form/select-field";
import { useRoleOptions } from "@/components/roles/role-queries";
import { WorkspaceRolesField } from "@/components/roles/workspace-roles-field";

/** Roles of a management key. */
export function KeyRoleFields<Values extends FieldValues>({ control }: { control: Control<Values> }) {
  const roles = useRoleOptions();
  return (
    <>
      <SelectField
        control={control}
        name={"role" as FieldPath<Values>}
        label="Role for the organization"
        hint="Without a role, the key has an admin's permissions."
        none="None (admin)"
        options={roles}
      />
      <WorkspaceRolesField control={control} name={"workspace_roles" as FieldPath<Values>} />
    </>
  );
}

"use client";
import { useState } from "react";
import { useForm, type Control } from "react-hook-form";
import type { z } from "zod";
import { AuditLink } from "@/components/audit/audit-link";
import { DeleteDialog } from "@/components/form/delete-dialog";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { TextField } from "@/components/form/text-field";
import { useEditForm } from "@/components/form/use-edit-form";
import { NotFound } from "@/components/layout/data-state";
import { organizationPermissions, useMay, useUser } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { SideSheet } from "@/components/ui/side-sheet";
import { toast } from "@/components/ui/toast";
import { CreateRoleBody, type Role } from "@/lib/records/roles/contract";
import { PermissionGrid, PermissionsField } from "./permission-grid";
import { useCreateRole, useDeleteRole, useUpdateRole } from "./role-queries";

const checkBody = formResolver(CreateRoleBody);
type Values = z.input<typeof CreateRoleBody>;

const valuesOf = ({ name, description, permissions }: Role): Values => ({ name, description, permissions });
const announce = ({ name }: Role) => toast.success(`Role “${name}” saved`);

export function NewRole({ onClose }: { onClose: () => void }) {
  const creation = useCreateRole();
  const form = useForm<Values, unknown, z.output<typeof CreateRoleBody>>({
    resolver: checkBody,
    defaultValues: { name: "", description: null, permissions: [] },
  });
  return (
    <SideSheet open onClose={onClose} title="New role">
      <MutationForm
        form={form}
        mutation={creation}
        onSaved={({ data }) => {
          announce(data);
          onClose();
        }}
        action="Create role"
        isGuarded
      >
        <RoleFields control={form.control} />
      </MutationForm>
    </SideSheet>
  );
}

export function RoleSheet({ role, onClose }: { role: Role; onClose: () => void }) {
  const held = organizationPermissions(useUser());
  const mayChangeRoles = useMay("roles:write") && !role.is_built_in;
  const canChange = mayChangeRoles && role.permissions.every((permission) => held.includes(permission));
  return (
    <SideSheet
      open
      onClose={onClose}
      title={role.name}
      isReadOnly={!canChange}
      actions={!role.is_built_in && <AuditLink type="role" id={role.id} />}
    >
      {canChange ? (
        <EditRole role={role} onClose={onClose} />
      ) : (
        <div className="grid gap-4">
          {role.description && <p className="text-muted">{role.description}</p>}
          {mayChangeRoles && (
            <p className="text-[13px] text-muted">
              Read-only: changes require every permission of the role, and you don’t have all of them.
            </p>
          )}
          <PermissionGrid held={role.permissions} />
        </div>
      )}
    </SideSheet>
  );
}

export const UnknownRole = ({ onClose }: { onClose: () => void }) => (
  <SideSheet open onClose={onClose} title="Role" isReadOnly>
    <NotFound subject="this role" />
  </SideSheet>
);

function EditRole({ role, onClose }: { role: Role; onClose: () => void }) {
  const update = useUpdateRole(role.id);
  const edit = useEditForm({
    resolver: checkBody,
    stored: role,
    valuesOf,
    onSaved: (saved) => {
      announce(saved);
      onClose();
    },
  });
  return (
    <div className="grid gap-6">
      <MutationForm {...edit} mutation={update} action="Save changes">
        <RoleFields control={edit.form.control} />
      </MutationForm>
      <DeleteRole role={role} onDeleted={onClose} />
    </div>
  );
}

const RoleFields = ({ control }: { control: Control<Values> }) => (
  <>
    <TextField control={control} name="name" label="Name" input={{ autoComplete: "off" }} />
    <TextField control={control} name="description" label="Description" isNullable input={{ autoComplete: "off" }} />
    <PermissionsField control={control} />
  </>
);

function DeleteRole({ role: { id, name }, onDeleted }: { role: Role; onDeleted: () => void }) {
  const deletion = useDeleteRole();
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="border-t pt-4">
      <Button className="text-danger" onClick={() => setAsking(true)}>
        Delete role…
      </Button>
      {isAsking && (
        <DeleteDialog
          id={id}
          name={name}
          action="Delete role"
          deletion={deletion}
          done={`Role “${name}” deleted`}
          onClose={() => setAsking(false)}
          onDeleted={onDeleted}
        >
          A role can be deleted once no member, group or management key has it.
        </DeleteDialog>
      )}
    </div>
  );
}

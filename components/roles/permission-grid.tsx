"use client";
import type { Control } from "react-hook-form";
import { fieldErrors } from "@/components/form/field-errors";
import { useField } from "@/components/form/use-field";
import { organizationPermissions, useUser } from "@/components/session/user-context";
import { Checkbox } from "@/components/ui/checkbox";
import { PERMISSION_NAMES, PERMISSIONS, type Permission } from "@/lib/platform/permissions";
import type { CreateRoleBody } from "@/lib/records/roles/contract";
import { PERMISSION_NOUNS, verbOf } from "./permission-nouns";

/** Permissions of a role by noun. Those that the user lacks can't be given. */
export function PermissionsField({ control }: { control: Control<CreateRoleBody> }) {
  const { field, fieldState } = useField({ control, name: "permissions" });
  const permissions = organizationPermissions(useUser());
  const errors = fieldErrors(fieldState.error);
  const toggle = (permission: Permission, isOn: boolean) =>
    field.onChange(PERMISSION_NAMES.filter((name) => (name === permission ? isOn : field.value.includes(name))));
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-[13px] font-medium">Permissions</legend>
      <PermissionGrid held={field.value} onToggle={toggle} allowed={permissions} />
      {errors.map((error) => (
        <p key={error} role="alert" className="text-[13px] text-danger">
          {error}
        </p>
      ))}
      <p className="text-[13px] text-muted">You can give only permissions that you have.</p>
    </fieldset>
  );
}

interface PermissionGridProps {
  held: readonly Permission[];
  /** Omitted for a role that can't be changed. */
  onToggle?: (permission: Permission, isOn: boolean) => void;
  allowed?: readonly Permission[];
}

export function PermissionGrid({ held, onToggle, allowed = [] }: PermissionGridProps) {
  return (
    <ul className="divide-y rounded-lg border">
      {PERMISSION_NOUNS.map(({ noun, label, permissions }) => (
        <li key={noun} className="grid gap-x-4 gap-y-1 px-3 py-2 sm:grid-cols-[9rem_1fr]">
          <span className="pt-0.5 font-medium">{label}</span>
          <ul className="grid gap-1">
            {permissions.map((permission) => (
              <li key={permission} className="grid gap-x-3 sm:grid-cols-[6rem_1fr]">
                <Checkbox
                  checked={held.includes(permission)}
                  disabled={!onToggle || (!allowed.includes(permission) && !held.includes(permission))}
                  onChange={(isOn) => onToggle?.(permission, isOn)}
                  aria-label={permission}
                  label={verbOf(permission)}
                />
                <span className="text-[13px] text-muted sm:pt-0.5">{PERMISSIONS[permission]}</span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

import { useQuery } from "@tanstack/react-query";
import { organizationPermissions, useMay, useUser } from "@/components/session/user-context";
import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, reload } from "@/lib/browser/api-query";
import { getAccountPermissions, getMemberPermissions } from "@/lib/browser/operations/groups-permissions";
import { createRole, deleteRole, listRoles, updateRole } from "@/lib/browser/operations/roles";
import { WORKSPACE_PERMISSIONS, type Permission } from "@/lib/platform/permissions";
import { BUILT_IN_ROLES, ROLES } from "@/lib/records/roles/vocabulary";

export const rolesQuery = apiQuery(listRoles, {});

export const ownPermissionsQuery = apiQuery(getAccountPermissions, {});
export const memberPermissionsQuery = (userId: string) =>
  apiQuery(getMemberPermissions, { params: { user_id: userId } });

const BUILT_IN = ROLES.map((id) => ({ id, ...BUILT_IN_ROLES[id] }));

const labelOf = ({ name, description }: { name: string; description: string | null }) =>
  description === null ? name : `${name} (${description})`;

interface RoleOption {
  value: string;
  label: string;
  name: string;
  /** True for a role with a permission that the user lacks and so can't give. */
  isDisabled: boolean;
}

/** Options of the built-in and custom roles; only the built-in ones until they are loaded. */
export function useRoleOptions(of: "organization" | "workspace" = "organization"): RoleOption[] {
  const user = useUser();
  const canSee = useMay("members:read");
  const { data } = useQuery({ ...rolesQuery, enabled: canSee });
  const held = of === "workspace" ? user.permissions : organizationPermissions(user);
  const given = ({ permissions }: { permissions: readonly Permission[] }) =>
    of === "workspace" ? permissions.filter((permission) => WORKSPACE_PERMISSIONS.includes(permission)) : permissions;
  return (data?.data ?? BUILT_IN).map((role) => ({
    value: role.id,
    label: labelOf(role),
    name: role.name,
    isDisabled: !given(role).every((permission) => held.includes(permission)),
  }));
}

/** False for a member whose role has a permission that the user lacks: the server refuses to change their access. */
export function useCovers({ role }: { role: string }): boolean {
  return !useRoleOptions().find(({ value }) => value === role)?.isDisabled;
}

const refresh = reload(listRoles, getAccountPermissions, getMemberPermissions);

export const useCreateRole = () =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof createRole>["body"]) =>
      call(createRole, { body, idempotencyKey: newIdempotencyKey() }),
    onSuccess: refresh,
  });

export const useUpdateRole = (id: string) =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof updateRole>["body"]) => call(updateRole, { params: { id }, body }),
    onSuccess: refresh,
  });

export const useDeleteRole = () =>
  useApiMutation({ mutationFn: (id: string) => call(deleteRole, { params: { id } }), onSuccess: refresh });

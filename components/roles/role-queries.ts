import { useQuery } from "@tanstack/react-query";
import { useMay } from "@/components/session/user-context";
import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, reload } from "@/lib/browser/api-query";
import { getAccountPermissions, getMemberPermissions } from "@/lib/browser/operations/groups-permissions";
import { createRole, deleteRole, listRoles, updateRole } from "@/lib/browser/operations/roles";
import { BUILT_IN_ROLES, ROLES } from "@/lib/records/roles/vocabulary";

export const rolesQuery = apiQuery(listRoles, {});

export const ownPermissionsQuery = apiQuery(getAccountPermissions, {});
export const memberPermissionsQuery = (userId: string) =>
  apiQuery(getMemberPermissions, { params: { user_id: userId } });

const BUILT_IN = ROLES.map((id) => ({ id, ...BUILT_IN_ROLES[id] }));

const labelOf = ({ name, description }: { name: string; description: string | null }) =>
  description === null ? name : `${name} (${description})`;

/** Options of the built-in and custom roles; only the built-in ones until they are loaded. */
export function useRoleOptions(): { value: string; label: string; name: string }[] {
  const canSee = useMay("members:read");
  const { data } = useQuery({ ...rolesQuery, enabled: canSee });
  return (data?.data ?? BUILT_IN).map((role) => ({ value: role.id, label: labelOf(role), name: role.name }));
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

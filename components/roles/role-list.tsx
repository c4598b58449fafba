"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useQueryState } from "nuqs";
import { PageHeader } from "@/components/layout/page-header";
import { ResourceList } from "@/components/layout/resource-list";
import { useCreating } from "@/components/layout/use-creating";
import { useMay } from "@/components/session/user-context";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type { Column } from "@/components/ui/data-table";
import { lazyComponent } from "@/components/ui/lazy-component";
import { PERMISSION_NAMES } from "@/lib/platform/permissions";
import type { Role } from "@/lib/records/roles/contract";
import { AccessNav } from "./access-nav";
import { rolesQuery } from "./role-queries";

const NewRole = lazyComponent(() => import("./role-sheet").then((file) => file.NewRole));
const RoleSheet = lazyComponent(() => import("./role-sheet").then((file) => file.RoleSheet));
const UnknownRole = lazyComponent(() => import("./role-sheet").then((file) => file.UnknownRole));

const columns = (onOpen: (role: Role) => void): Column<Role>[] => [
  {
    id: "name",
    header: "Name",
    className: "md:w-[50%]",
    cell: (role) => (
      <div className="grid justify-items-start gap-0.5 pr-8 md:pr-0">
        <button
          type="button"
          onClick={() => onOpen(role)}
          className="inline-flex flex-wrap items-center gap-2 text-left font-medium wrap-anywhere after:absolute after:inset-0"
        >
          {role.name}
          {!role.is_built_in && <Badge tone="accent">Custom</Badge>}
        </button>
        {role.description && <span className="text-[13px] text-muted">{role.description}</span>}
      </div>
    ),
  },
  {
    id: "permissions",
    header: "Permissions",
    cell: ({ permissions }) => `${permissions.length} of ${PERMISSION_NAMES.length}`,
  },
  {
    id: "holders",
    header: "Given to",
    cell: ({ holders }) => (holders === 0 ? <span className="text-muted">Nobody</span> : holders.toLocaleString("en")),
  },
];

/** The built-in and custom roles. */
export function RoleList() {
  const roles = useQuery(rolesQuery);
  const canCreate = useMay("roles:write");
  const [isCreating, setCreating] = useCreating();
  const [openId, setOpenId] = useQueryState("role", { history: "push" });
  const open = (id: string | null) => void setOpenId(id);
  const shown = roles.data?.data.find(({ id }) => id === openId);
  return (
    <>
      <PageHeader
        title="Roles"
        description="Sets of permissions that members, groups and management keys get, for the organization or a workspace."
        action={
          canCreate && (
            <Button variant="primary" onClick={() => setCreating(true)}>
              <Plus aria-hidden /> New role
            </Button>
          )
        }
      />
      <AccessNav />
      <ResourceList
        label="Roles"
        subject="roles"
        query={roles}
        columns={columns(({ id }) => open(id))}
        rowKey={({ id }) => id}
        onOpen={({ id }) => open(id)}
      />
      {canCreate && isCreating && <NewRole onClose={() => setCreating(false)} />}
      {shown && <RoleSheet key={shown.id} role={shown} onClose={() => open(null)} />}
      {openId !== null && roles.isSuccess && !shown && <UnknownRole onClose={() => open(null)} />}
    </>
  );
}

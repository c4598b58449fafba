import type { Metadata } from "next";
import { Prefetch } from "@/app/prefetch";
import { RoleList } from "@/components/roles/role-list";
import { rolesQuery } from "@/components/roles/role-queries";

export const metadata: Metadata = { title: "Roles" };

export default function RolesPage() {
  return (
    <Prefetch queries={[rolesQuery]}>
      <RoleList />
    </Prefetch>
  );
}

import type { Metadata } from "next";
import { PermissionsPage } from "@/components/roles/permissions-page";

export const metadata: Metadata = { title: "Permissions" };

export default function Page() {
  return <PermissionsPage />;
}

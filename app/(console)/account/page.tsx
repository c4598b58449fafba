import type { Metadata } from "next";
import { Prefetch } from "@/app/prefetch";
import { AccountPage } from "@/components/account/account-page";
import { accountSecurityQuery, accountSessionsQuery } from "@/components/account/account-queries";
import { ownPermissionsQuery } from "@/components/roles/role-queries";
import { sessionQuery } from "@/components/session/session-queries";

export const metadata: Metadata = { title: "Your account" };

export default function Page() {
  return (
    <Prefetch queries={[sessionQuery, accountSessionsQuery, accountSecurityQuery, ownPermissionsQuery]}>
      <AccountPage />
    </Prefetch>
  );
}

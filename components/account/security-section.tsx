"use client";
import { useQuery } from "@tanstack/react-query";
import { DataState } from "@/components/layout/data-state";
import { accountSecurityQuery } from "./account-queries";
import { PasskeysSection } from "./passkeys-section";
import { securitySkeleton } from "./security-skeleton";
import { TotpSection } from "./totp-section";

/** Ways to sign in besides the password. */
export function SecuritySection() {
  const security = useQuery(accountSecurityQuery);
  return (
    <DataState query={security} subject="your sign-in settings" skeleton={securitySkeleton()}>
      {({ data }) => (
        <div className="grid gap-4">
          <TotpSection security={data} />
          <PasskeysSection passkeys={data.passkeys} />
        </div>
      )}
    </DataState>
  );
}

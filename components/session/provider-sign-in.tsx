"use client";
import { FailureAlert } from "@/components/form/failure-alert";
import { Button } from "@/components/ui/button";
import { toFailure } from "@/lib/browser/api-failure";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { call } from "@/lib/browser/api-client";
import { getSession } from "@/lib/browser/operations/session";
import type { Session } from "@/lib/records/session/contract";
import { startAddress } from "./provider-buttons";
import { useSignInTab } from "./sign-in-tab";

interface ProviderSignInProps {
  connection: { id: string; name: string };
  onSignedIn: (session: Session) => void;
}

/** Signs in again with the identity provider, in another tab, which shows why a sign-in is refused. */
export function ProviderSignIn({ connection: { id, name }, onSignedIn }: ProviderSignInProps) {
  const session = useApiMutation({
    mutationFn: () => call(getSession, {}),
    onSuccess: ({ data }) => onSignedIn(data),
  });
  const tab = useSignInTab(({ refusal }) => refusal === null && session.mutate());
  return (
    <div className="grid gap-4">
      {session.error && <FailureAlert failure={toFailure(session.error)} />}
      <Button
        className="h-9"
        onClick={() => tab.open(startAddress(`/session/connections/${id}/start`, "/sign-in/done"))}
      >
        {tab.isOpen ? "Continue in the other tab…" : `Continue with ${name}`}
      </Button>
    </div>
  );
}

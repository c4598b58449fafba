"use client";
import { Button } from "@/components/ui/button";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { call } from "@/lib/browser/api-client";
import { getSession } from "@/lib/browser/operations/session";
import type { Session } from "@/lib/records/session/contract";
import { startAddress } from "./provider-buttons";
import { RefusalAlert } from "./refusal-alert";
import { useSignInTab } from "./sign-in-tab";
import { useState } from "react";

interface ProviderSignInProps {
  connection: { id: string; name: string };
  onSignedIn: (session: Session) => void;
}

/** Signs in again with the identity provider, in another tab. */
export function ProviderSignIn({ connection: { id, name }, onSignedIn }: ProviderSignInProps) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const session = useApiMutation({
    mutationFn: () => call(getSession, {}),
    onSuccess: ({ data }) => onSignedIn(data),
  });
  const tab = useSignInTab((outcome) => {
    setRefusal(outcome.refusal);
    if (outcome.refusal === null) session.mutate();
  });
  return (
    <div className="grid gap-4">
      {refusal !== null && <RefusalAlert refusal={refusal} requestId={null} />}
      <Button
        variant="primary"
        className="h-9"
        onClick={() => tab.open(startAddress(`/session/connections/${id}/start`, "/sign-in/done"))}
      >
        {tab.isOpen ? "Continue in the other tab…" : `Continue with ${name}`}
      </Button>
    </div>
  );
}

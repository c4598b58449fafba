"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { RefusalAlert } from "./refusal-alert";
import { useSignInTab } from "./sign-in-tab";

interface ProviderProofProps {
  connection: { id: string; name: string };
  onConfirmed: () => void;
  onCancel: () => void;
}

/** Asks the identity provider to sign the member in again, in another tab. */
export function ProviderProof({ connection: { id, name }, onConfirmed, onCancel }: ProviderProofProps) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const tab = useSignInTab((outcome) => {
    setRefusal(outcome.refusal);
    if (outcome.refusal === null) onConfirmed();
  });
  return (
    <div className="grid gap-4">
      {refusal !== null && <RefusalAlert refusal={refusal} requestId={null} />}
      <p className="text-muted">
        {tab.isOpen ? "Sign in at the provider in the other tab." : `Sign in again with ${name}, in another tab.`}
      </p>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button variant="primary" autoFocus onClick={() => tab.open(`/session/connections/${id}/start?confirm=true`)}>
          Continue with {name}
        </Button>
      </DialogActions>
    </div>
  );
}

"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import type { WorkloadIdentity } from "@/lib/records/workload-identities/contract";
import { HowToUse } from "./how-to-use";
import { IdentityForm } from "./identity-form";
import { lifetimeText } from "./lifetime-text";

interface IdentityDialogProps {
  keyHash: string;
  /** Null for a new identity. */
  identity: WorkloadIdentity | null;
  onClose: () => void;
}

/** The form; after a new identity, the code to use it. */
export function IdentityDialog({ keyHash, identity, onClose }: IdentityDialogProps) {
  const [created, setCreated] = useState<WorkloadIdentity | null>(null);
  const saved = (data: WorkloadIdentity) => {
    if (identity) {
      toast.success("Workload identity saved");
      onClose();
    } else setCreated(data);
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={created ? `“${created.name}” added` : identity ? `Edit “${identity.name}”` : "Add workload identity"}
      description={
        created
          ? `The workload exchanges its token for a key that is valid for ${lifetimeText(created.lifetime_seconds)}.`
          : "Tokens with this issuer, audience and claims can be exchanged for this key."
      }
      className={created ? "max-w-3xl" : ""}
    >
      {created ? (
        <>
          <HowToUse identity={created} />
          <DialogActions>
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          </DialogActions>
        </>
      ) : (
        <IdentityForm keyHash={keyHash} identity={identity} onSaved={saved} onCancel={onClose} />
      )}
    </Dialog>
  );
}

"use client";
import { DeleteDialog } from "@/components/form/delete-dialog";
import type { WorkloadIdentity } from "@/lib/records/workload-identities/contract";
import { useDeleteIdentity } from "./identity-queries";

interface DeleteIdentityProps {
  identity: WorkloadIdentity;
  onClose: () => void;
}

export const DeleteIdentity = ({ identity: { id, key_hash, name }, onClose }: DeleteIdentityProps) => (
  <DeleteDialog
    id={id}
    name={name}
    action="Delete identity"
    deletion={useDeleteIdentity(key_hash)}
    done="Workload identity deleted"
    onClose={onClose}
  >
    Keys that it exchanged end at once.
  </DeleteDialog>
);

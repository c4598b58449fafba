"use client";
import { DeleteDialog } from "@/components/form/delete-dialog";
import type { ScimToken } from "@/lib/records/scim-tokens/contract";
import { useDeleteToken } from "./directory-queries";

export const DeleteToken = ({ token: { id, name }, onClose }: { token: ScimToken; onClose: () => void }) => (
  <DeleteDialog id={id} name={name} action="Delete token" deletion={useDeleteToken()} onClose={onClose}>
    The directory that uses this token can no longer change members and groups, which stay as they are.
  </DeleteDialog>
);

"use client";
import { useState } from "react";
import { UnsavedGuard } from "@/components/form/unsaved-guard";
import { ConnectPanel } from "@/components/snippets/connect-panel";
import { Dialog } from "@/components/ui/dialog";
import type { Key } from "@/lib/records/keys/contract";
import { CreateKeyForm } from "./create-key-form";
import { KeyText } from "./key-text";

interface CreateKeyDialogProps {
  /** The selected workspace; null for the default one. */
  workspace: string | null;
  onClose: () => void;
}

/** Two steps: the form, then the new key, which must be confirmed as stored before closing. */
export function CreateKeyDialog({ workspace, onClose }: CreateKeyDialogProps) {
  const [created, setCreated] = useState<{ text: string; key: Pick<Key, "name" | "kind"> } | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  const finish = () => {
    setCreated(null);
    setLeaving(false);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => {
        if (isOpen) return;
        if (created) setLeaving(true);
        else finish();
      }}
      title={created ? `“${created.key.name}” created` : "New API key"}
      description={
        created ? "Copy the key now. It can't be shown again." : "The key is shown only once, right after creation."
      }
      className={created?.key.kind === "inference" ? "max-w-3xl" : ""}
    >
      {created ? (
        <KeyText text={created.text} isLeaving={isLeaving} onStored={finish}>
          {created.key.kind === "inference" && <ConnectPanel keyText={created.text} />}
        </KeyText>
      ) : (
        <CreateKeyForm workspace={workspace} onCreated={(text, key) => setCreated({ text, key })} onCancel={onClose} />
      )}
      <UnsavedGuard isDirty={created !== null} />
    </Dialog>
  );
}

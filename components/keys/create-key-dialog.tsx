"use client";
import { useState } from "react";
import { UnsavedGuard } from "@/components/form/unsaved-guard";
import { Dialog } from "@/components/ui/dialog";
import { CreateKeyForm } from "./create-key-form";
import { KeyText } from "./key-text";

interface CreateKeyDialogProps {
  /** The selected workspace; null for the default one. */
  workspace: string | null;
  onClose: () => void;
}

/** Two steps: the form, then the new key, which must be confirmed as stored before closing. */
export function CreateKeyDialog({ workspace, onClose }: CreateKeyDialogProps) {
  const [created, setCreated] = useState<{ text: string; name: string } | null>(null);
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
      title={created ? `“${created.name}” created` : "New API key"}
      description={
        created ? "Copy the key now. It can't be shown again." : "The key is shown only once, right after creation."
      }
    >
      {created ? (
        <KeyText text={created.text} isLeaving={isLeaving} onStored={finish} />
      ) : (
        <CreateKeyForm
          workspace={workspace}
          onCreated={(text, name) => setCreated({ text, name })}
          onCancel={onClose}
        />
      )}
      <UnsavedGuard isDirty={created !== null} />
    </Dialog>
  );
}

"use client";
import { useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CreateKeyForm } from "./create-key-form";

interface CreateKeyDialogProps {
  open: boolean;
  onClose: () => void;
}

/** Two steps: the form, then the key's text, which closes only by saying that it is stored. */
export function CreateKeyDialog({ open, onClose }: CreateKeyDialogProps) {
  const [created, setCreated] = useState<{ text: string; name: string } | null>(null);
  const finish = () => {
    setCreated(null);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && finish()}
      isDismissible={created === null}
      title={created ? `“${created.name}” is ready` : "New API key"}
      description={created ? "Copy the key now: it can't be shown again." : "The key's text is shown once, right after it is created."}
    >
      {created ? <KeyText text={created.text} onStored={finish} /> : <CreateKeyForm onCreated={(text, name) => setCreated({ text, name })} onCancel={onClose} />}
    </Dialog>
  );
}

function KeyText({ text, onStored }: { text: string; onStored: () => void }) {
  return (
    <div className="grid gap-4">
      <div className="grid gap-1.5">
        <label htmlFor="key-text" className="text-[13px] font-medium">
          Key
        </label>
        <textarea
          id="key-text"
          readOnly
          rows={2}
          value={text}
          onFocus={(event) => event.target.select()}
          className="w-full resize-none rounded-md border bg-subtle px-2.5 py-2 font-mono text-[13px] break-all"
        />
      </div>
      <Alert kind="warning" title="Only a hash of it is kept.">
        Store it in a secret manager. Whoever has it acts in its name.
      </Alert>
      <DialogActions>
        <CopyButton text={text} label="Copy key">
          Copy key
        </CopyButton>
        <Button variant="primary" onClick={onStored}>
          I have stored it
        </Button>
      </DialogActions>
    </div>
  );
}

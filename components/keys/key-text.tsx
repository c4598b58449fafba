import type { ReactNode } from "react";
import { Alert } from "@/components/ui/alert";
import { CopyButton } from "@/components/ui/copy-button";
import { DialogActions } from "@/components/ui/dialog";
import { OneTimeText } from "@/components/ui/one-time-text";
import { StoredButton } from "@/components/ui/stored-button";

interface KeyTextProps {
  text: string;
  onStored: () => void;
  /** The user tried to close without confirming that the key is stored. */
  isLeaving: boolean;
  children?: ReactNode;
}

/** Shows a new key, which can't be shown again. */
export function KeyText({ text, onStored, isLeaving, children }: KeyTextProps) {
  return (
    <div className="grid min-w-0 gap-4">
      <OneTimeText label="Key" text={text} />
      {children}
      {isLeaving ? (
        <Alert kind="danger" title="This key won't be shown again">
          Copy it and confirm that you have stored it before closing.
        </Alert>
      ) : (
        <Alert kind="warning" title="Only a hash of this key is stored">
          Store it in a secret manager. Anyone with this key can use it.
        </Alert>
      )}
      <DialogActions>
        <CopyButton text={text} label="Copy key">
          Copy key
        </CopyButton>
        <StoredButton onStored={onStored}>I have stored it</StoredButton>
      </DialogActions>
    </div>
  );
}

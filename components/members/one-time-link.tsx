import { Alert } from "@/components/ui/alert";
import { CopyButton } from "@/components/ui/copy-button";
import { DialogActions } from "@/components/ui/dialog";
import { OneTimeText } from "@/components/ui/one-time-text";
import { StoredButton } from "@/components/ui/stored-button";

interface OneTimeLinkProps {
  label: string;
  url: string;
  email: string;
  /** True if the link was sent to the member. */
  isEmailed: boolean;
  onDone: () => void;
}

/** Shows a one-time link with which a member sets a password. */
export function OneTimeLink({ label, url, email, isEmailed, onDone }: OneTimeLinkProps) {
  return (
    <div className="grid gap-4">
      <OneTimeText label={label} text={url} rows={3} />
      <Alert
        kind={isEmailed ? "info" : "warning"}
        title={
          isEmailed
            ? `The link was emailed to ${email}.`
            : `Send this link to ${email} yourself: this server has no mail server.`
        }
      >
        Anyone with this link can set the password. It works once and expires in 7 days.
      </Alert>
      <DialogActions>
        <CopyButton text={url} label="Copy link">
          Copy link
        </CopyButton>
        <StoredButton onStored={onDone}>Done</StoredButton>
      </DialogActions>
    </div>
  );
}

import { Alert } from "@/components/ui/alert";
import { CopyButton } from "@/components/ui/copy-button";
import { DialogActions } from "@/components/ui/dialog";
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
      <div className="grid gap-1.5">
        <label htmlFor="one-time-link" className="text-[13px] font-medium">
          {label}
        </label>
        <textarea
          id="one-time-link"
          readOnly
          rows={3}
          value={url}
          onFocus={(event) => event.target.select()}
          className="w-full resize-none rounded-md border bg-subtle px-2.5 py-2 font-mono text-[13px] break-all"
        />
      </div>
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

"use client";
import { FailureAlert } from "@/components/form/failure-alert";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { toFailure } from "@/lib/browser/api-failure";
import type { Member } from "@/lib/records/members/contract";
import { memberName } from "./member-name";
import { useResetPassword } from "./member-queries";
import { OneTimeLink } from "./one-time-link";

interface ResetPasswordProps {
  member: Member;
  open: boolean;
  onClose: () => void;
}

/** Two steps: a confirmation, then the link. For an invited member, only the invitation link is replaced. */
export function ResetPassword({ member, open, onClose }: ResetPasswordProps) {
  const reset = useResetPassword(member.id);
  const isReset = reset.data ? reset.data.reset_url.endsWith("?for=reset") : member.status === "active";
  const finish = () => {
    reset.reset();
    onClose();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && finish()}
      isDismissible={reset.data === undefined}
      title={`${isReset ? "Reset password of" : "New invitation link for"} ${memberName(member)}`}
      description={
        reset.data
          ? "This link is shown only once."
          : isReset
            ? "Creates a one-time link with which the member sets a new password."
            : "The previous link stops working."
      }
    >
      {reset.data ? (
        <OneTimeLink
          label={isReset ? "Reset link" : "Invitation link"}
          url={reset.data.reset_url}
          email={member.email}
          isEmailed={reset.data.emailed}
          onDone={finish}
        />
      ) : (
        <div className="grid gap-4">
          {isReset && (
            <p className="text-sm">
              The old password stops working immediately, and the member is signed out everywhere. API keys keep
              working.
            </p>
          )}
          {reset.error && <FailureAlert failure={toFailure(reset.error)} />}
          <DialogActions>
            <Button onClick={finish}>Cancel</Button>
            <Button variant="primary" disabled={reset.isPending} onClick={() => reset.mutate()}>
              {isReset ? "Reset password" : "Create new link"}
            </Button>
          </DialogActions>
        </div>
      )}
    </Dialog>
  );
}

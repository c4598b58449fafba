"use client";
import type { UseMutationResult } from "@tanstack/react-query";
import { FailureAlert } from "@/components/form/failure-alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { AccountSession } from "@/lib/records/session/account-contract";
import { browserName } from "./browser-name";

interface RevokeSessionProps {
  /** Null when closed. */
  session: AccountSession | null;
  /** Name of the session's member; omitted for the user's own sessions. */
  whose?: string;
  revocation: UseMutationResult<unknown, Error, { id: string }>;
  onClose: () => void;
}

export function RevokeSession({ session, whose, revocation, onClose }: RevokeSessionProps) {
  const close = () => {
    revocation.reset();
    onClose();
  };
  const confirm = () => {
    if (!session) return;
    revocation.mutate(session, {
      onSuccess: () => {
        toast.success("Signed out");
        close();
      },
    });
  };
  const browser = browserName(session?.user_agent ?? null);
  return (
    <ConfirmDialog
      open={session !== null}
      onOpenChange={(open) => !open && close()}
      title={`Sign out ${browser}?`}
      action="Sign out"
      onConfirm={confirm}
      isPending={revocation.isPending}
    >
      <p>
        {whose ? `${whose} has` : "You have"} to sign in again on this browser{session?.ip ? ` (${session.ip})` : ""}.
        Unsaved work can be saved after signing in again.
      </p>
      {revocation.error && <FailureAlert failure={toFailure(revocation.error)} />}
    </ConfirmDialog>
  );
}

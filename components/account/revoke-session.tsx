"use client";
import type { UseMutationResult } from "@tanstack/react-query";
import { FailureAlert } from "@/components/form/failure-alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { AccountSession } from "@/lib/records/session/account-contract";
import { browserName } from "./browser-name";

interface RevokeSessionProps {
  /** Null: closed. */
  session: AccountSession | null;
  /** The member whose browser it is; absent: one's own. */
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
        toast.success("Signed out there");
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
        {whose ? `${whose} has` : "You have"} to sign in again {session?.ip ? `at ${session.ip}` : "there"}. Work that
        was not saved there can still be saved after that.
      </p>
      {revocation.error && <FailureAlert failure={toFailure(revocation.error)} />}
    </ConfirmDialog>
  );
}

"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { Member } from "@/lib/records/members/contract";
import { memberName } from "./member-name";
import { useEndSessions, useResetSecondFactor } from "./member-queries";
import { RemoveMember } from "./remove-member";
import { ResetPassword } from "./reset-password";

const browsers = (count: number) => `${count} ${count === 1 ? "browser" : "browsers"}`;

/** Actions on a member. The user's own password and sessions are managed on the account page. */
export function MemberActions({ member, isSelf }: { member: Member; isSelf: boolean }) {
  const [open, setOpen] = useState<"reset" | "factor" | "sign-out" | "remove" | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      {!isSelf && (
        <Button onClick={() => setOpen("reset")}>
          {member.status === "invited" ? "New invitation link…" : "Reset password…"}
        </Button>
      )}
      {!isSelf && (member.totp_enabled || member.passkeys > 0) && (
        <Button onClick={() => setOpen("factor")}>Reset second factor…</Button>
      )}
      {!isSelf && (
        <Button disabled={member.open_sessions === 0} onClick={() => setOpen("sign-out")}>
          Sign out everywhere…
        </Button>
      )}
      <Button className="text-danger" onClick={() => setOpen("remove")}>
        Remove…
      </Button>
      <ResetPassword member={member} open={open === "reset"} onClose={close} />
      <ResetSecondFactor member={member} open={open === "factor"} onClose={close} />
      <SignOutEverywhere member={member} open={open === "sign-out"} onClose={close} />
      <RemoveMember member={member} open={open === "remove"} onClose={close} />
    </>
  );
}

function ResetSecondFactor({ member, open, onClose }: { member: Member; open: boolean; onClose: () => void }) {
  const reset = useResetSecondFactor(member.id);
  const confirm = () =>
    reset.mutate(undefined, {
      onSuccess: () => {
        toast.success(`Second factor of ${memberName(member)} reset`);
        onClose();
      },
      onError: (error) => toast.error("Couldn't reset the second factor", { description: toFailure(error).message }),
    });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Reset the second factor of ${memberName(member)}?`}
      action="Reset second factor"
      onConfirm={confirm}
      isPending={reset.isPending}
    >
      <p>
        Removes their authenticator app, recovery codes and passkeys, and signs them out everywhere. Their password
        alone is then enough to sign in, so verify that the request comes from them.
      </p>
    </ConfirmDialog>
  );
}

function SignOutEverywhere({ member, open, onClose }: { member: Member; open: boolean; onClose: () => void }) {
  const ending = useEndSessions(member.id);
  const confirm = () =>
    ending.mutate(undefined, {
      onSuccess: ({ ended_count }) => {
        toast.success(`${memberName(member)} signed out of ${browsers(ended_count)}`);
        onClose();
      },
      onError: (error) =>
        toast.error(`Couldn't sign out ${memberName(member)}`, { description: toFailure(error).message }),
    });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Sign ${memberName(member)} out everywhere?`}
      action="Sign out everywhere"
      onConfirm={confirm}
      isPending={ending.isPending}
    >
      <p>
        This member has to sign in again in {browsers(member.open_sessions)}. Unsaved work is lost. API keys keep
        working.
      </p>
    </ConfirmDialog>
  );
}

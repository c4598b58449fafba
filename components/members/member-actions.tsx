"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCovers } from "@/components/roles/role-queries";
import { sessionQuery } from "@/components/session/session-queries";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { Member } from "@/lib/records/members/contract";
import { FailureAlert } from "@/components/form/failure-alert";
import { usePageRouter } from "@/lib/browser/page-router";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { lazyComponent } from "@/components/ui/lazy-component";
import { memberName } from "./member-name";
import { useEndSessions, useResetSecondFactor, useRemoveMember, useResetPassword } from "./member-queries";
import { OneTimeLink } from "./one-time-link";
import { count } from "@/lib/platform/count";

const ActivationDialog = lazyComponent(() => import("./activation-dialog").then((file) => file.ActivationDialog));
const HandOverDialog = lazyComponent(() => import("./hand-over-dialog").then((file) => file.HandOverDialog));

const browsers = (amount: number) => count(amount, "browser");

/** Actions on a member. The user's own password and sessions are managed on the account page. */
export function MemberActions({ member, isSelf }: { member: Member; isSelf: boolean }) {
  const [open, setOpen] = useState<"reset" | "factor" | "sign-out" | "activation" | "hand-over" | "remove" | null>(
    null,
  );
  const close = () => setOpen(null);
  const hasPasswords = useQuery(sessionQuery).data?.password_sign_in !== "break_glass_only";
  const covers = useCovers(member);
  return (
    <>
      {!isSelf && covers && member.status !== "deactivated" && hasPasswords && (
        <Button onClick={() => setOpen("reset")}>
          {member.status === "invited" ? "New invitation link…" : "Reset password…"}
        </Button>
      )}
      {!isSelf && covers && (member.totp_enabled || member.passkeys > 0) && (
        <Button onClick={() => setOpen("factor")}>Reset second factor…</Button>
      )}
      {!isSelf && (
        <Button disabled={member.open_sessions === 0} onClick={() => setOpen("sign-out")}>
          Sign out everywhere…
        </Button>
      )}
      <Button onClick={() => setOpen("hand-over")}>Hand over…</Button>
      {!isSelf && covers && (
        <Button onClick={() => setOpen("activation")}>
          {member.status === "deactivated" ? "Reactivate…" : "Deactivate…"}
        </Button>
      )}
      {covers && (
        <Button className="text-danger" onClick={() => setOpen("remove")}>
          Remove…
        </Button>
      )}
      <ResetPassword member={member} open={open === "reset"} onClose={close} />
      <ResetSecondFactor member={member} open={open === "factor"} onClose={close} />
      <SignOutEverywhere member={member} open={open === "sign-out"} onClose={close} />
      {open === "activation" && <ActivationDialog member={member} onClose={close} />}
      {open === "hand-over" && <HandOverDialog member={member} onClose={close} />}
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

interface RemoveMemberProps {
  member: Member;
  open: boolean;
  onClose: () => void;
}

function RemoveMember({ member, open, onClose }: RemoveMemberProps) {
  const router = usePageRouter();
  const removal = useRemoveMember(member.id);
  const { active_keys, guardrails, open_sessions } = member;
  const close = () => {
    removal.reset();
    onClose();
  };
  const confirm = () =>
    removal.mutate(undefined, {
      onSuccess: () => {
        toast.success(`${memberName(member)} removed`);
        router.push("/members");
      },
    });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && close()}
      title={`Remove ${memberName(member)}?`}
      action="Remove member"
      typed={member.email}
      touches={
        <ul className="grid list-disc gap-0.5 pl-4">
          <li>
            {active_keys === 0 ? "No active keys" : count(active_keys, "key will be disabled", "keys will be disabled")}
          </li>
          <li>
            {guardrails.length === 0
              ? "No guardrails"
              : `Unassigned from ${guardrails.map(({ guardrail_name }) => `“${guardrail_name}”`).join(", ")}`}
          </li>
          <li>{open_sessions === 0 ? "No active sessions" : "Signed out everywhere"}</li>
        </ul>
      }
      onConfirm={confirm}
      isPending={removal.isPending}
    >
      <p>Their requests stay in the log. This can&apos;t be undone, but the address can be invited again.</p>
      {removal.error && <FailureAlert failure={toFailure(removal.error)} />}
    </ConfirmDialog>
  );
}

interface ResetPasswordProps {
  member: Member;
  open: boolean;
  onClose: () => void;
}

/** Two steps: a confirmation, then the link. For an invited member, only the invitation link is replaced. */
function ResetPassword({ member, open, onClose }: ResetPasswordProps) {
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

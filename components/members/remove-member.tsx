"use client";
import { FailureAlert } from "@/components/form/failure-alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { usePageRouter } from "@/lib/browser/page-router";
import type { Member } from "@/lib/records/members/contract";
import { memberName } from "./member-name";
import { useRemoveMember } from "./member-queries";

interface RemoveMemberProps {
  member: Member;
  open: boolean;
  onClose: () => void;
}

export function RemoveMember({ member, open, onClose }: RemoveMemberProps) {
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
            {active_keys === 0
              ? "No active keys"
              : `${active_keys} ${active_keys === 1 ? "key will be" : "keys will be"} disabled`}
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

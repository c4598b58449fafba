"use client";
import { useRouter } from "next/navigation";
import { FailureAlert } from "@/components/form/failure-alert";
import { Alert } from "@/components/ui/alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { Member } from "@/lib/records/members/contract";
import { memberName } from "./member-name";
import { useRemoveMember } from "./member-queries";

const CONFLICT = 409;

interface RemoveMemberProps {
  member: Member;
  open: boolean;
  onClose: () => void;
}

export function RemoveMember({ member, open, onClose }: RemoveMemberProps) {
  const router = useRouter();
  const removal = useRemoveMember(member.id);
  const failure = removal.error && toFailure(removal.error);
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
              ? "No enabled key is theirs"
              : `${active_keys} ${active_keys === 1 ? "key is" : "keys are"} disabled`}
          </li>
          <li>
            {guardrails.length === 0
              ? "They hold no guardrail"
              : `They leave the ${guardrails.length === 1 ? "guardrail" : "guardrails"} ${guardrails.map(({ guardrail_name }) => `“${guardrail_name}”`).join(", ")}`}
          </li>
          <li>{open_sessions === 0 ? "They are signed in nowhere" : "They are signed out everywhere"}</li>
        </ul>
      }
      onConfirm={confirm}
      isPending={removal.isPending}
    >
      <p>Their requests stay in the log. This can&apos;t be undone; the address can be invited again.</p>
      {failure &&
        (failure.status === CONFLICT ? (
          <Alert kind="danger" title="The last admin can't be removed">
            Nobody could manage the organization otherwise. Make another member an admin first.
          </Alert>
        ) : (
          <FailureAlert failure={failure} />
        ))}
    </ConfirmDialog>
  );
}

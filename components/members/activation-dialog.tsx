"use client";
import { FailureAlert } from "@/components/form/failure-alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { count } from "@/lib/platform/count";
import type { Member } from "@/lib/records/members/contract";
import { memberName } from "./member-name";
import { useUpdateMember } from "./member-queries";

/** Deactivates a member, or reactivates a deactivated one. */
export function ActivationDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const update = useUpdateMember(member.id);
  const isActive = member.status !== "deactivated";
  const verb = isActive ? "Deactivate" : "Reactivate";
  const confirm = () =>
    update.mutate(
      { active: !isActive },
      {
        onSuccess: () => {
          toast.success(`${memberName(member)} ${verb.toLowerCase()}d`);
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`${verb} ${memberName(member)}?`}
      action={`${verb} member`}
      isDestructive={isActive}
      isPending={update.isPending}
      onConfirm={confirm}
    >
      <p>
        {isActive
          ? `Signs them out everywhere and stops ${count(member.active_keys, "active key")} within a second. Nothing is deleted: reactivation restores their access.`
          : `They can sign in again, and ${count(member.active_keys, "key works", "keys work")} again.`}
      </p>
      {update.error && <FailureAlert failure={toFailure(update.error)} />}
    </ConfirmDialog>
  );
}

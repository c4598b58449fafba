"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { May } from "@/components/session/may";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { MemberIdentity } from "@/lib/records/sign-in-connections/contract";
import { identitiesQuery, useUnlinkIdentity } from "./connection-queries";

/** Accounts at identity providers that a member signs in with; nothing for a member without any. */
export function IdentitiesCard({ userId }: { userId: string }) {
  const identities = useQuery(identitiesQuery(userId)).data?.data ?? [];
  const [unlinked, setUnlinked] = useState<MemberIdentity | null>(null);
  // Keeps the dialog mounted until its toast is shown.
  if (identities.length === 0 && !unlinked) return null;
  return (
    <Card id="identities" title="Identity providers">
      <ul className="divide-y">
        {identities.map((identity) => (
          <li
            key={`${identity.connection_id} ${identity.subject}`}
            className="flex flex-wrap items-center justify-between gap-3 py-2 first:pt-0 last:pb-0"
          >
            <div className="grid min-w-0 gap-0.5">
              <span className="font-medium wrap-anywhere">{identity.connection_name}</span>
              <span className="text-[13px] wrap-anywhere text-muted">
                {identity.email ?? identity.subject}, last sign-in <RelativeTime at={identity.last_sign_in_at} />
              </span>
            </div>
            <May permission="members:write">
              <Button
                size="sm"
                aria-label={`Unlink ${identity.connection_name}…`}
                onClick={() => setUnlinked(identity)}
              >
                Unlink…
              </Button>
            </May>
          </li>
        ))}
      </ul>
      {unlinked && <UnlinkDialog userId={userId} identity={unlinked} onClose={() => setUnlinked(null)} />}
    </Card>
  );
}

interface UnlinkDialogProps {
  userId: string;
  identity: MemberIdentity;
  onClose: () => void;
}

function UnlinkDialog({ userId, identity: { connection_id, connection_name }, onClose }: UnlinkDialogProps) {
  const unlinking = useUnlinkIdentity(userId);
  const confirm = () =>
    unlinking.mutate(connection_id, {
      onSuccess: () => {
        toast.success("Unlinked and signed out");
        onClose();
      },
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Unlink “${connection_name}”?`}
      action="Unlink"
      isPending={unlinking.isPending}
      onConfirm={confirm}
    >
      <p>
        Ends the member&apos;s sessions of this provider. At their next sign-in with it, they are linked again only if
        it links accounts by address.
      </p>
      {unlinking.error && <FailureAlert failure={toFailure(unlinking.error)} />}
    </ConfirmDialog>
  );
}

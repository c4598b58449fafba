"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { ResourceList } from "@/components/layout/resource-list";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { AccountSession } from "@/lib/records/session/account-contract";
import { accountSessionsQuery, useRevokeOwnSession, useSignOutElsewhere } from "./account-queries";
import { RevokeSession } from "./revoke-session";
import { sessionColumns } from "./session-columns";

/** The user's own sessions. */
export function OwnSessions() {
  const sessions = useQuery(accountSessionsQuery);
  const [toRevoke, setToRevoke] = useState<AccountSession | null>(null);
  const [isEndingAll, setEndingAll] = useState(false);
  const others = sessions.data?.data.filter(({ is_current }) => !is_current).length ?? 0;
  return (
    <Card
      id="sessions"
      title="Active sessions"
      description="If you don't recognize a browser, sign it out and change your password."
      action={
        <Button disabled={others === 0} onClick={() => setEndingAll(true)}>
          Sign out other browsers…
        </Button>
      }
    >
      <ResourceList
        label="Your sessions"
        subject="your sessions"
        query={sessions}
        columns={sessionColumns<AccountSession>(setToRevoke)}
        rowKey={({ id }) => id}
        skeletonRows={2}
      />
      <RevokeSession session={toRevoke} revocation={useRevokeOwnSession()} onClose={() => setToRevoke(null)} />
      <EndOthers open={isEndingAll} count={others} onClose={() => setEndingAll(false)} />
    </Card>
  );
}

function EndOthers({ open, count, onClose }: { open: boolean; count: number; onClose: () => void }) {
  const ending = useSignOutElsewhere();
  const close = () => {
    ending.reset();
    onClose();
  };
  const confirm = () =>
    ending.mutate(undefined, {
      onSuccess: ({ data: { sessions_ended } }) => {
        toast.success(
          sessions_ended === 1 ? "Signed out 1 other browser" : `Signed out ${sessions_ended} other browsers`,
        );
        close();
      },
    });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && close()}
      title="Sign out other browsers?"
      action="Sign out other browsers"
      onConfirm={confirm}
      isPending={ending.isPending}
    >
      <p>
        {count === 1 ? "1 other browser has" : `${count} other browsers have`} to sign in again. This browser stays
        signed in.
      </p>
      {ending.error && <FailureAlert failure={toFailure(ending.error)} />}
    </ConfirmDialog>
  );
}

"use client";
import { useQuery } from "@tanstack/react-query";
import { FailureAlert } from "@/components/form/failure-alert";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { identitiesQuery, useUnlinkIdentity } from "./connection-queries";

/** Accounts at identity providers that a member signs in with; nothing for a member without any. */
export function IdentitiesCard({ userId }: { userId: string }) {
  const identities = useQuery(identitiesQuery(userId)).data?.data ?? [];
  const unlinking = useUnlinkIdentity(userId);
  if (identities.length === 0) return null;
  const unlink = (connectionId: string) =>
    unlinking.mutate(connectionId, { onSuccess: () => toast.success("Unlinked and signed out") });
  return (
    <Card id="identities" title="Identity providers">
      <div className="grid gap-3">
        <ul className="divide-y">
          {identities.map(({ connection_id, connection_name, subject, email, last_sign_in_at }) => (
            <li
              key={`${connection_id} ${subject}`}
              className="flex flex-wrap items-center justify-between gap-3 py-2 first:pt-0 last:pb-0"
            >
              <div className="grid min-w-0 gap-0.5">
                <span className="font-medium wrap-anywhere">{connection_name}</span>
                <span className="text-[13px] wrap-anywhere text-muted">
                  {email ?? subject}, last sign-in <RelativeTime at={last_sign_in_at} />
                </span>
              </div>
              <Button
                size="sm"
                disabled={unlinking.isPending}
                aria-label={`Unlink ${connection_name}`}
                onClick={() => unlink(connection_id)}
              >
                Unlink
              </Button>
            </li>
          ))}
        </ul>
        {unlinking.error && <FailureAlert failure={toFailure(unlinking.error)} />}
      </div>
    </Card>
  );
}

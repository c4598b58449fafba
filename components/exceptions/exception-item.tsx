import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sessionQuery } from "@/components/session/session-queries";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import { announce } from "@/lib/browser/announce";
import { toFailure } from "@/lib/browser/api-failure";
import type { Exception } from "@/lib/features/exceptions/contract";
import { Countdown } from "./countdown";
import { refreshExceptions, useEndException } from "./exception-queries";
import { describeException } from "./exception-text";

/** One exception with its effect, reason, author and remaining time. */
export function ExceptionItem({ exception, canEnd }: { exception: Exception; canEnd: boolean }) {
  const { id, status, reason, created_by_name, created_at, expires_at, ended_at } = exception;
  const vendors = useQuery(sessionQuery).data?.zdr_vendors ?? [];
  const words = describeException(exception, vendors);
  const [isAsking, setAsking] = useState(false);
  const ending = useEndException();
  const client = useQueryClient();
  const isActive = status === "active";
  const end = () =>
    ending.mutate(id, {
      onSuccess: () => {
        setAsking(false);
        toast.success("Exception ended", { description: "Takes effect on the next request." });
      },
      onError: (error) => toast.error(toFailure(error).message),
    });
  const announceEnd = () => {
    announce(`Exception ended: ${words}.`);
    void refreshExceptions(client);
  };
  return (
    <li className="grid gap-x-3 gap-y-1 py-2.5 first:pt-0 last:pb-0 sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid min-w-0 gap-0.5">
        <p className="font-medium wrap-anywhere">{words}</p>
        <p className="text-[13px] wrap-anywhere">{reason}</p>
        <p className="text-[13px] text-muted">
          Granted {created_by_name !== null && `by ${created_by_name} `}
          <RelativeTime at={created_at} />
          {!isActive && (
            <>
              , ended <RelativeTime at={ended_at ?? expires_at} />
            </>
          )}
        </p>
      </div>
      <div className="flex items-center gap-3 sm:justify-self-end">
        {isActive ? (
          <span className="inline-flex items-center gap-1.5 text-[13px] text-muted">
            <Countdown until={expires_at} onEnd={announceEnd} /> left
          </span>
        ) : (
          <Badge>{status === "ended" ? "Ended early" : "Expired"}</Badge>
        )}
        {isActive && canEnd && (
          <Button size="sm" aria-label={`End now: ${words}`} onClick={() => setAsking(true)}>
            End now
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="End this exception now?"
        action="End exception"
        isPending={ending.isPending}
        onConfirm={end}
      >
        {words}. Takes effect on the next request.
      </ConfirmDialog>
    </li>
  );
}

"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { DataState } from "@/components/layout/data-state";
import { useMay } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { lazyComponent } from "@/components/ui/lazy-component";
import { Skeleton } from "@/components/ui/skeleton";
import type { Exception } from "@/lib/records/exceptions/contract";
import { sessionQuery } from "@/components/session/session-queries";
import { Badge } from "@/components/ui/badge";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import { createException } from "@/lib/browser/operations/exceptions";
import { announce } from "@/lib/browser/announce";
import { toFailure } from "@/lib/browser/api-failure";
import { exceptionListQuery, type ExceptionSubject, refreshExceptions, useEndException } from "./exception-queries";
import { describeException, timeLeft } from "./exception-text";
import { count } from "@/lib/platform/count";

const GrantDialog = lazyComponent(() => import("./grant-dialog").then((file) => file.GrantDialog));

interface ExceptionsSectionProps {
  subject: ExceptionSubject;
  /** Display name of the key or member. */
  name: string;
  workspaceId?: string | undefined;
}

/** Temporary exceptions to policy for a key or member. */
export function ExceptionsSection({ subject, name, workspaceId }: ExceptionsSectionProps) {
  const canGrant = useMay(createException);
  const [isGranting, setGranting] = useState(false);
  const exceptions = useQuery(exceptionListQuery(subject));
  return (
    <Card
      id="exceptions"
      title="Exceptions"
      description="Temporary exceptions to policy."
      action={canGrant && <Button onClick={() => setGranting(true)}>Grant exception…</Button>}
    >
      <DataState query={exceptions} subject="exceptions" skeleton={<Skeleton className="h-12" />}>
        {({ data }) => <Exceptions all={data} canEnd={canGrant} />}
      </DataState>
      {isGranting && (
        <GrantDialog subject={subject} name={name} workspaceId={workspaceId} onClose={() => setGranting(false)} />
      )}
    </Card>
  );
}

function Exceptions({ all, canEnd }: { all: readonly Exception[]; canEnd: boolean }) {
  const [active, over] = [
    all.filter(({ status }) => status === "active"),
    all.filter(({ status }) => status !== "active"),
  ];
  const list = (some: readonly Exception[]) => (
    <ul className="divide-y">
      {some.map((exception) => (
        <ExceptionItem key={exception.id} exception={exception} canEnd={canEnd} />
      ))}
    </ul>
  );
  return (
    <div className="grid gap-3">
      {active.length > 0 ? list(active) : <p className="text-muted">No active exceptions.</p>}
      {over.length > 0 && (
        <details>
          <summary className="cursor-pointer text-[13px] text-muted">{count(over.length, "past exception")}</summary>
          <div className="mt-2">{list(over)}</div>
        </details>
      )}
    </div>
  );
}

/** One exception with its effect, reason, author and remaining time. */
function ExceptionItem({ exception, canEnd }: { exception: Exception; canEnd: boolean }) {
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

const SECOND_MS = 1000;

const everySecond = (onChange: () => void) => {
  const timer = setInterval(onChange, SECOND_MS);
  return () => clearInterval(timer);
};
const currentSecond = () => Math.floor(Date.now() / SECOND_MS) * SECOND_MS;

/** Remaining time, updated every second at a fixed width. Announces only its end to screen readers. */
function Countdown({ until, onEnd }: { until: string; onEnd: () => void }) {
  const now = useSyncExternalStore(everySecond, currentSecond, currentSecond);
  const left = Date.parse(until) - now;
  const isOver = left <= 0;
  const announceEnd = useEffectEvent(onEnd);
  useEffect(() => {
    if (isOver) announceEnd();
  }, [isOver]);
  return (
    <time
      role="timer"
      dateTime={until}
      className="inline-block min-w-[8ch] text-right font-mono text-[13px] whitespace-nowrap tabular-nums"
      suppressHydrationWarning
    >
      {timeLeft(left)}
    </time>
  );
}

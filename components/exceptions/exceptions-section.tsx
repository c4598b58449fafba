"use client";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { useUser } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { persistently } from "@/components/ui/deferred";
import { Skeleton } from "@/components/ui/skeleton";
import type { Exception } from "@/lib/exceptions/contract";
import { ExceptionItem } from "./exception-item";
import { exceptionListQuery, type ExceptionSubject } from "./exception-queries";

const GrantDialog = dynamic(() => persistently(() => import("./grant-dialog")));

interface ExceptionsSectionProps {
  subject: ExceptionSubject;
  /** As in "Exceptions of nightly-eval". */
  name: string;
  workspaceId?: string | undefined;
}

/** What a key or a member may do for now although policy forbids it. */
export function ExceptionsSection({ subject, name, workspaceId }: ExceptionsSectionProps) {
  const { isAdmin } = useUser();
  const [isGranting, setGranting] = useState(false);
  const exceptions = useQuery(exceptionListQuery(subject));
  return (
    <Card
      id="exceptions"
      title="Exceptions"
      description="What policy lets through for now."
      action={isAdmin && <Button onClick={() => setGranting(true)}>Grant exception…</Button>}
    >
      <DataState query={exceptions} subject="the exceptions" skeleton={<Skeleton className="h-12" />}>
        {({ data }) => <Exceptions all={data} canEnd={isAdmin} />}
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
      {active.length > 0 ? list(active) : <p className="text-muted">None holds now: policy applies in full.</p>}
      {over.length > 0 && (
        <details>
          <summary className="cursor-pointer text-[13px] text-muted">
            {over.length === 1 ? "1 that is over" : `${over.length} that are over`}
          </summary>
          <div className="mt-2">{list(over)}</div>
        </details>
      )}
    </div>
  );
}

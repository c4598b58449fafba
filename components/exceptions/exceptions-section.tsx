"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { useUser } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { lazyComponent } from "@/components/ui/lazy-component";
import { Skeleton } from "@/components/ui/skeleton";
import type { Exception } from "@/lib/features/exceptions/contract";
import { ExceptionItem } from "./exception-item";
import { exceptionListQuery, type ExceptionSubject } from "./exception-queries";

const GrantDialog = lazyComponent(() => import("./grant-dialog").then((file) => file.GrantDialog));

interface ExceptionsSectionProps {
  subject: ExceptionSubject;
  /** Display name of the key or member. */
  name: string;
  workspaceId?: string | undefined;
}

/** Temporary exceptions to policy for a key or member. */
export function ExceptionsSection({ subject, name, workspaceId }: ExceptionsSectionProps) {
  const { isAdmin } = useUser();
  const [isGranting, setGranting] = useState(false);
  const exceptions = useQuery(exceptionListQuery(subject));
  return (
    <Card
      id="exceptions"
      title="Exceptions"
      description="Temporary exceptions to policy."
      action={isAdmin && <Button onClick={() => setGranting(true)}>Grant exception…</Button>}
    >
      <DataState query={exceptions} subject="exceptions" skeleton={<Skeleton className="h-12" />}>
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
      {active.length > 0 ? list(active) : <p className="text-muted">No active exceptions.</p>}
      {over.length > 0 && (
        <details>
          <summary className="cursor-pointer text-[13px] text-muted">
            {over.length === 1 ? "1 past exception" : `${over.length} past exceptions`}
          </summary>
          <div className="mt-2">{list(over)}</div>
        </details>
      )}
    </div>
  );
}

"use client";
import type { UseQueryResult } from "@tanstack/react-query";
import { CloudOff, Lock, SearchX, TriangleAlert, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { MonoId } from "@/components/ui/mono-id";
import { toFailure, type ApiFailure } from "@/lib/browser/api-failure";

interface DataStateProps<Data> {
  query: UseQueryResult<Data>;
  /** What is asked for, as in "the guardrails". */
  subject: string;
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

/** What a query shows: its data, however old, else that it is pending or why it failed. */
export function DataState<Data>({ query, subject, skeleton, children }: DataStateProps<Data>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isPending) {
    return (
      <div role="status" aria-live="polite">
        <span className="sr-only">Loading {subject}</span>
        {skeleton}
      </div>
    );
  }
  return (
    <Failure
      failure={toFailure(query.error)}
      subject={subject}
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
    />
  );
}

interface FailureProps {
  failure: ApiFailure;
  subject: string;
  onRetry: () => void;
  isRetrying: boolean;
}

function explain(
  { status, message, isOffline }: ApiFailure,
  subject: string,
): { icon: LucideIcon; title: string; advice: string; canRetry: boolean } {
  if (isOffline)
    return { icon: CloudOff, title: message, advice: "Check the connection, then try again.", canRetry: true };
  if (status === 403)
    return {
      icon: Lock,
      title: `Your role does not include ${subject}`,
      advice: "Ask an admin of your organization for access.",
      canRetry: false,
    };
  if (status === 404)
    return {
      icon: SearchX,
      title: "Not found",
      advice: `We could not find ${subject}. It may have been deleted, or the address is wrong.`,
      canRetry: false,
    };
  if (status === 429)
    return {
      icon: TriangleAlert,
      title: "Too many requests",
      advice: "Wait a moment, then try again.",
      canRetry: true,
    };
  return { icon: TriangleAlert, title: `We could not load ${subject}`, advice: message, canRetry: true };
}

function Failure({ failure, subject, onRetry, isRetrying }: FailureProps) {
  const { icon, title, advice, canRetry } = explain(failure, subject);
  const retry = (
    <Button onClick={onRetry} disabled={isRetrying}>
      Try again
    </Button>
  );
  return (
    <div role="alert">
      <EmptyState icon={icon} title={title} action={canRetry ? retry : undefined}>
        <p>{advice}</p>
        {failure.requestId && (
          <p className="mt-2 inline-flex flex-wrap items-center justify-center gap-x-1">
            Request <MonoId value={failure.requestId} name="request id" />
          </p>
        )}
      </EmptyState>
    </div>
  );
}

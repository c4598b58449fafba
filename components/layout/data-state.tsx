"use client";
import type { UseQueryResult } from "@tanstack/react-query";
import { CloudOff, Lock, SearchX, ServerOff, TriangleAlert, type LucideIcon } from "lucide-react";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { MonoId } from "@/components/ui/mono-id";
import type { Permission } from "@/lib/platform/permissions";
import { toFailure, type ApiFailure } from "@/lib/browser/api-failure";
import { useChosenWorkspace } from "./chosen-workspace";
import { DESTINATIONS, inWorkspace, isCurrent } from "./navigation";

interface DataStateProps<Data> {
  query: UseQueryResult<Data>;
  /** Name of the data, as in "Loading guardrails". */
  subject: string;
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Renders a query: its data (even if stale), a skeleton while pending, or its error. */
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

const noAccess = (subject: string, permission: unknown) => ({
  icon: Lock,
  title: `You don’t have access to ${subject}`,
  advice:
    typeof permission === "string"
      ? `It requires the permission ${permission}. Ask an admin of your organization for a role that has it.`
      : "Ask an admin of your organization for access.",
});

const notFound = (subject: string) => ({
  icon: SearchX,
  title: "Not found",
  advice: `Couldn’t find ${subject}. It may have been deleted, or the URL is wrong.`,
});

/** Shown in place of a record that isn't in its list. */
export function NotFound({ subject }: { subject: string }) {
  const { icon, title, advice } = notFound(subject);
  return (
    <EmptyState icon={icon} title={title}>
      {advice}
    </EmptyState>
  );
}

/** Shown to members on a page for which they lack a permission. */
export function NoAccess({ subject, permission }: { subject: string; permission: Permission }) {
  const { icon, title, advice } = noAccess(subject, permission);
  return (
    <EmptyState icon={icon} title={title}>
      {advice}
    </EmptyState>
  );
}

/** True when the user may not read the data, so that the page offers no action on it. */
export const isForbidden = ({ error }: Pick<UseQueryResult, "error">): boolean =>
  error !== null && toFailure(error).status === 403;

interface FailureProps {
  failure: ApiFailure;
  subject: string;
  onRetry: () => void;
  isRetrying: boolean;
}

function explain(
  { status, message, metadata, isOffline, isUnreachable }: ApiFailure,
  subject: string,
): { icon: LucideIcon; title: string; advice: string; canRetry: boolean } {
  if (isOffline)
    return { icon: CloudOff, title: message, advice: "Check your connection and try again.", canRetry: true };
  if (isUnreachable)
    return {
      icon: ServerOff,
      title: message,
      advice: "The server may be restarting. This page retries automatically.",
      canRetry: true,
    };
  if (status === 403) return { ...noAccess(subject, metadata["permission"]), canRetry: false };
  if (status === 404) return { ...notFound(subject), canRetry: false };
  if (status === 429)
    return {
      icon: TriangleAlert,
      title: "Too many requests",
      advice: "Wait a moment and try again.",
      canRetry: true,
    };
  return { icon: TriangleAlert, title: `Couldn’t load ${subject}`, advice: message, canRetry: true };
}

/** Link from the page of a record to its list. */
function BackToList() {
  const pathname = usePathname();
  const workspace = useChosenWorkspace();
  const list = DESTINATIONS.find((destination) => isCurrent(destination, pathname));
  if (list?.href === pathname) return null;
  return list ? (
    <LinkButton href={inWorkspace(list.href, workspace)}>Back to {list.label}</LinkButton>
  ) : (
    <LinkButton href="/">Go to overview</LinkButton>
  );
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
      <EmptyState icon={icon} title={title} action={canRetry ? retry : failure.status === 404 && <BackToList />}>
        <p>{advice}</p>
        {failure.requestId && (
          <p className="mt-2 inline-flex flex-wrap items-center justify-center gap-x-1">
            Request <MonoId value={failure.requestId} name="request ID" />
          </p>
        )}
      </EmptyState>
    </div>
  );
}

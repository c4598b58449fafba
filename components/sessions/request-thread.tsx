"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { MessagesSquare } from "lucide-react";
import Link from "next/link";
import { ClockTime } from "@/components/generations/clock-time";
import { formatCost, formatCount, formatDuration, unpricedNote } from "@/components/generations/generation-format";
import { generationLogQuery } from "@/components/generations/generation-queries";
import { GenerationStatus } from "@/components/generations/generation-status";
import { previewQuery } from "@/components/generations/preview-queries";
import { tokenCounts } from "@/components/generations/token-counts";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { useMay } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Facts } from "@/components/ui/facts";
import { LinkButton } from "@/components/ui/link-button";
import { MonoId } from "@/components/ui/mono-id";
import { Skeleton } from "@/components/ui/skeleton";
import { formatUsd } from "@/components/ui/usd";
import type { Generation } from "@/lib/records/generations/contract";
import { apiQuery } from "@/lib/browser/api-query";
import { getUsage } from "@/lib/browser/operations/analytics-usage";
import { MAX_DAYS, DAY_MS } from "@/lib/features/analytics/vocabulary";
import { sessionTotals, totalsOfSums, type SessionTotals } from "./session-totals";

const CRUMBS = [{ href: "/generations", label: "Generations" }] as const;

const SESSION = {
  title: "Session",
  noun: "session",
  hint: "Requests with this session_id, or the header X-Session-Id, appear here.",
};
const TRACE = {
  title: "Trace",
  noun: "trace",
  hint: "Requests with this ID in the header traceparent, or in trace.trace_id, appear here.",
};

/** The requests of one session or trace, oldest first, with their totals. */
export function RequestThread({ of }: { of: Thread }) {
  const requests = useInfiniteQuery(generationLogQuery({ filters: of }));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = requests;
  const [{ title, noun, hint }, id] = "session_id" in of ? [SESSION, of.session_id] : [TRACE, of.trace_id];
  return (
    <>
      <PageHeader
        title={title}
        parents={CRUMBS}
        description={<MonoId value={id} name={`${noun} ID`} />}
        action={
          <LinkButton href={`/generations?${new URLSearchParams({ ...of, range: "30d" })}`}>Open in log</LinkButton>
        }
      />
      <DataState query={requests} subject={`this ${noun}`} skeleton={<Skeleton className="h-96 rounded-lg" />}>
        {({ pages }) =>
          pages[0]?.data.length === 0 ? (
            <EmptyState icon={MessagesSquare} title={`No requests in this ${noun}`}>
              {hint}
            </EmptyState>
          ) : (
            <div className="grid gap-4">
              <Totals of={of} requests={pages.flatMap(({ data }) => data)} isPart={hasNextPage} />
              {hasNextPage && (
                <Button
                  className="justify-self-center"
                  disabled={isFetchingNextPage}
                  onClick={() => void fetchNextPage()}
                >
                  {isFetchingNextPage ? "Loading older requests…" : "Load older requests"}
                </Button>
              )}
              <ol aria-label="Requests" className="grid gap-3">
                {pages
                  .flatMap(({ data }) => data)
                  .toReversed()
                  .map((generation) => (
                    <li key={generation.id}>
                      <Turn generation={generation} />
                    </li>
                  ))}
              </ol>
            </div>
          )
        }
      </DataState>
    </>
  );
}

interface TotalsProps {
  of: Thread;
  requests: readonly Generation[];
  /** True if older requests aren't loaded. */
  isPart: boolean;
}

function Totals({ of, requests, isPart }: TotalsProps) {
  const all = useQuery({ ...threadUsageQuery(of, requests[0]?.created_at ?? ""), enabled: isPart }).data?.data.totals;
  if (!isPart) return <TotalsCard totals={sessionTotals(requests)} />;
  return all ? <TotalsCard totals={totalsOfSums(all)} /> : <Skeleton className="h-32 rounded-lg" />;
}

function TotalsCard({ totals }: { totals: SessionTotals }) {
  return (
    <Card id="totals" title="Totals">
      <Facts
        facts={[
          { term: "Requests", value: formatCount(totals.requests) },
          { term: "Unsuccessful", value: totals.unsuccessful === 0 ? null : formatCount(totals.unsuccessful) },
          { term: "Cost", value: [formatUsd(totals.cost), unpricedNote(totals.unpriced)].filter(Boolean).join(" ") },
          {
            term: "Prompt and completion tokens",
            value: tokenCounts({ tokens_prompt: totals.tokensPrompt, tokens_completion: totals.tokensCompletion }),
          },
          { term: "First request to last response", value: totals.span === null ? null : formatDuration(totals.span) },
        ]}
      />
    </Card>
  );
}

function Turn({ generation }: { generation: Generation }) {
  const canReadContents = useMay("contents:read");
  const { id, model, status, content_stored, created_at, error, generation_time } = generation;
  const preview = useQuery({ ...previewQuery(id, ""), enabled: canReadContents && content_stored }).data;
  return (
    <article className="relative grid gap-2 rounded-lg border bg-surface p-4 hover:bg-subtle/60">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px] text-muted">
        <Link
          href={`/generations/${id}`}
          prefetch={false}
          aria-label={`${model}, generation ${id}`}
          className="font-mono font-medium text-foreground after:absolute after:inset-0"
        >
          {model}
        </Link>
        {status !== "succeeded" && <GenerationStatus status={status} />}
        <ClockTime at={created_at} />
        <span className="tabular-nums sm:ml-auto">{tokenCounts(generation) ?? "No tokens"}</span>
        <span className="tabular-nums">{formatCost(generation)}</span>
        {generation_time !== null && <span className="tabular-nums">{formatDuration(generation_time)}</span>}
      </div>
      {preview?.prompt && <p className="wrap-anywhere">{preview.prompt}</p>}
      {error ? (
        <p className="wrap-anywhere text-danger">{error.message}</p>
      ) : (
        preview?.completion && <p className="wrap-anywhere text-muted">{preview.completion}</p>
      )}
    </article>
  );
}

/** Field that the requests of a thread share; also the filter of the log. */
type Thread = { session_id: string } | { trace_id: string };

/** Sums over all requests of a thread, up to the time of its newest one. */
function threadUsageQuery(of: Thread, newest: string) {
  const to = Date.parse(newest) + 1;
  const range = { from: new Date(to - MAX_DAYS * DAY_MS).toISOString(), to: new Date(to).toISOString() };
  return apiQuery(getUsage, { query: { ...of, ...range } });
}

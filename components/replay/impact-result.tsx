import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { RelativeTime } from "@/components/ui/relative-time";
import { SideSheet } from "@/components/ui/side-sheet";
import { formatUsd } from "@/components/ui/usd";
import type { Replay, ReplayRow } from "@/lib/features/replay/contract";
import type { Change, Obstacle } from "@/lib/features/replay/vocabulary";
import { generationContentQuery } from "@/components/generations/generation-queries";
import { useMay } from "@/components/session/user-context";
import { DataState } from "@/components/layout/data-state";
import { HighlightedText } from "@/components/ui/highlighted-text";
import { MonoId } from "@/components/ui/mono-id";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import { isNotFound } from "@/lib/browser/api-failure";
import { amount, CHANGE_ORDER, CHANGE_LABELS, describeImpact, OBSTACLE_LABELS } from "./change-labels";
import { VerdictDiff } from "./verdict-diff";

interface ImpactResultProps {
  result: Replay;
  onMore: () => void;
  isBusy: boolean;
}

/** Impact summary, filterable by kind of change, with details per request. */
export function ImpactResult({ result, onMore, isBusy }: ImpactResultProps) {
  const [chosen, setChosen] = useState<Change | null>(null);
  const [open, setOpen] = useState<ReplayRow | null>(null);
  const rows = chosen === null ? result.rows : result.rows.filter(({ change }) => change === chosen);
  return (
    <section aria-label="Impact of the draft" className="grid gap-3 border-t pt-3">
      <p className="font-medium wrap-anywhere">{describeImpact(result)}</p>
      <LintUnavailable result={result} />
      <Reached budgets={result.budgets} />
      <Changes result={result} chosen={chosen} onChoose={setChosen} />
      {rows.length > 0 && (
        <ul aria-label="Affected requests" className="-mx-2 grid max-h-80 overflow-y-auto">
          {rows.map((row) => (
            <li key={row.generation_id}>
              <RowButton row={row} onOpen={() => setOpen(row)} />
            </li>
          ))}
        </ul>
      )}
      {result.next_cursor !== null && (
        <Button size="sm" disabled={isBusy} className="justify-self-start" onClick={onMore}>
          Show more
        </Button>
      )}
      <SideSheet open={open !== null} onClose={() => setOpen(null)} title="Impact on this request">
        {open && <RowDetail row={open} />}
      </SideSheet>
    </section>
  );
}

function Changes({
  result,
  chosen,
  onChoose,
}: {
  result: Replay;
  chosen: Change | null;
  onChoose: (change: Change | null) => void;
}) {
  const present = CHANGE_ORDER.filter((change) => result[change] > 0);
  if (present.length === 0) return null;
  return (
    <div role="group" aria-label="Show only" className="flex flex-wrap gap-1.5">
      {present.map((change) => (
        <button
          key={change}
          type="button"
          aria-pressed={chosen === change}
          onClick={() => onChoose(chosen === change ? null : change)}
          className={cn(
            "inline-flex h-7 items-center gap-1.5 rounded-full border px-2.5 text-[13px] hover:bg-subtle",
            chosen === change && "border-accent bg-accent-subtle",
          )}
        >
          {CHANGE_LABELS[change].title}{" "}
          <span className="font-medium tabular-nums">{result[change].toLocaleString("en")}</span>
        </button>
      ))}
    </div>
  );
}

const RowButton = ({ row, onOpen }: { row: ReplayRow; onOpen: () => void }) => (
  <button
    type="button"
    onClick={onOpen}
    className="flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left text-[13px] hover:bg-subtle focus-visible:-outline-offset-2"
  >
    <span className="grid min-w-0 flex-1 gap-0.5">
      <span className="flex flex-wrap items-center gap-x-2">
        <Badge tone={CHANGE_LABELS[row.change].tone}>{CHANGE_LABELS[row.change].title}</Badge>
        <span className="text-muted">
          <RelativeTime at={row.created_at} />
        </span>
      </span>
      <span className="wrap-anywhere">{row.why}</span>
    </span>
    <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
  </button>
);

function LintUnavailable({ result: { not_evaluable, obstacles, truncated, selected } }: { result: Replay }) {
  const reasons = Object.entries(obstacles) as [Obstacle, number][];
  return (
    <>
      {not_evaluable > 0 && (
        <details className="text-[13px] text-muted">
          <summary className="cursor-pointer">{amount(not_evaluable, "request")} couldn’t be evaluated</summary>
          <ul className="mt-1 grid list-disc gap-1 pl-5">
            {reasons.map(([code, count]) => (
              <li key={code}>
                {amount(count, "request")} {OBSTACLE_LABELS[code]}
              </li>
            ))}
          </ul>
        </details>
      )}
      {truncated && (
        <p className="text-[13px] text-muted">
          Covers the newest {selected.toLocaleString("en")} requests; older ones exist.
        </p>
      )}
    </>
  );
}

const PERIODS = { daily: "daily", weekly: "weekly", monthly: "monthly" } as const;

function Reached({ budgets }: Pick<Replay, "budgets">) {
  const [first] = budgets;
  if (!first) return null;
  const keys = amount(budgets.length, "budget");
  return (
    <Alert kind="warning" title={`${keys} would have been exhausted`}>
      The first was a {first.counted_per}’s {first.reset_interval ? PERIODS[first.reset_interval] : "lifetime"}{" "}
      {formatUsd(first.limit_usd)}, <RelativeTime at={first.reached_at} />, with {amount(first.stopped, "request")}{" "}
      after it.
    </Alert>
  );
}

/** One recorded request before and after the draft, with its stored content. */
function RowDetail({ row }: { row: ReplayRow }) {
  return (
    <div className="grid gap-5">
      <div className="grid gap-1.5">
        <div className="flex flex-wrap items-center gap-2">
          <Badge tone={CHANGE_LABELS[row.change].tone}>{CHANGE_LABELS[row.change].title}</Badge>
          <span className="text-[13px] text-muted">
            <RelativeTime at={row.created_at} />
          </span>
          <MonoId value={row.generation_id} name="generation ID" />
        </div>
        <p className="font-medium wrap-anywhere">{row.why}</p>
        <p className="text-[13px]">
          <TextLink href={`/generations/${row.generation_id}`}>Open generation</TextLink>
        </p>
      </div>
      <VerdictDiff before={row.before} after={row.after} beforeLabel="As recorded" afterLabel="With the draft" />
      <StoredText row={row} />
    </div>
  );
}

function StoredText({ row }: { row: ReplayRow }) {
  const canRead = useMay("contents:read");
  const content = useQuery({
    ...generationContentQuery(row.generation_id),
    enabled: canRead,
    select: ({ data }) => data,
  });
  const isAbsent = isNotFound(content.error);
  return (
    <section aria-labelledby="stored-text" className="grid gap-2">
      <h3 id="stored-text" className="text-sm font-semibold">
        Stored request
      </h3>
      {!canRead ? (
        <p className="text-muted">You need the permission contents:read to read stored requests.</p>
      ) : isAbsent ? (
        <p className="text-muted">The content wasn’t stored or has been deleted.</p>
      ) : (
        <DataState query={content} subject="the stored text" skeleton={<Skeleton className="h-24" />}>
          {({ input, masked }) => (
            <>
              {masked && (
                <p className="text-[13px] text-muted">Personal data is masked, so matches can’t be highlighted.</p>
              )}
              <ol className="grid gap-2">
                {input.messages.map(({ role, content: text }, index) => (
                  <li key={index} className="grid gap-1 rounded-lg border bg-surface p-3 text-[13px]">
                    <span className="text-muted">{role}</span>
                    <HighlightedText text={text} spans={masked ? [] : spansOf(row, index)} />
                  </li>
                ))}
              </ol>
            </>
          )}
        </DataState>
      )}
    </section>
  );
}

/** Matches in one message's text; matches in message parts have their own paths. */
const spansOf = ({ found, change }: ReplayRow, index: number) =>
  found
    .filter(({ path }) => path.length === 3 && path[1] === index && path[2] === "content")
    .map(({ start, end, rule }) => ({ start, end, label: rule, tone: CHANGE_LABELS[change].tone }));

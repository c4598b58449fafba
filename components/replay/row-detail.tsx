import { useQuery } from "@tanstack/react-query";
import { generationContentQuery } from "@/components/generations/generation-queries";
import { DataState } from "@/components/layout/data-state";
import { Badge } from "@/components/ui/badge";
import { HighlightedText } from "@/components/ui/highlighted-text";
import { MonoId } from "@/components/ui/mono-id";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import { toFailure } from "@/lib/browser/api-failure";
import type { ReplayRow } from "@/lib/features/replay/contract";
import { CHANGE_LABELS } from "./change-labels";
import { VerdictDiff } from "./verdict-diff";

/** One recorded request before and after the draft, with its stored content. */
export function RowDetail({ row }: { row: ReplayRow }) {
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
  const content = useQuery({ ...generationContentQuery(row.generation_id), select: ({ data }) => data });
  const isAbsent = content.error !== null && toFailure(content.error).status === 404;
  return (
    <section aria-labelledby="stored-text" className="grid gap-2">
      <h3 id="stored-text" className="text-sm font-semibold">
        Stored request
      </h3>
      {isAbsent ? (
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

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { changesOf } from "@/components/audit/changes";
import { FailureAlert } from "@/components/form/failure-alert";
import { formatCount } from "@/components/generations/generation-format";
import type { Zone } from "@/components/time-range/time-range";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import { useIsHydrated } from "@/components/ui/use-browser-value";
import { toFailure } from "@/lib/browser/api-failure";
import { apiQuery } from "@/lib/browser/api-query";
import { countAuditEvents } from "@/lib/browser/operations/audit";
import { startOfDay } from "./day";

/** Kinds of changes of a day that are shown. */
const SHOWN = 5;

/** What was changed yesterday and today, by kind. Days are those of the reader's zone, unknown to the server. */
export function ChangesCard({ zone }: { zone: Zone }) {
  const isHydrated = useIsHydrated();
  const [now] = useState(() => Date.now());
  const midnight = startOfDay(now, 0, zone);
  const days = [
    { title: "Yesterday", from: startOfDay(now, 1, zone), to: midnight },
    { title: "Today", from: midnight, to: null },
  ];
  return (
    <Card id="changes" title="Changes" action={<TextLink href="/audit">Audit log</TextLink>}>
      <div className="grid gap-x-8 gap-y-4 md:grid-cols-2">
        {isHydrated ? days.map((day) => <Day key={day.title} {...day} zone={zone} />) : <Skeleton className="h-24" />}
      </div>
    </Card>
  );
}

interface DayProps {
  title: string;
  from: string;
  /** Null for today. */
  to: string | null;
  zone: Zone;
}

function Day({ title, from, to, zone }: DayProps) {
  const counts = useQuery(apiQuery(countAuditEvents, { query: { from, ...(to !== null && { to }) } }));
  const changes = counts.data && changesOf(counts.data.data);
  const hrefOf = (filters: Record<string, string>) =>
    `/audit?${new URLSearchParams({ ...filters, from, ...(to !== null && { to }), ...(zone === "utc" && { zone }) })}`;
  const others = changes?.slice(SHOWN) ?? [];
  return (
    <section aria-labelledby={`changes-${title}`} className="grid content-start gap-2">
      <h3 id={`changes-${title}`} className="text-[13px] font-medium text-muted">
        {title}
      </h3>
      {counts.error ? (
        <FailureAlert failure={toFailure(counts.error)} />
      ) : !changes ? (
        <Skeleton className="h-24" />
      ) : changes.length === 0 ? (
        <p className="text-muted">No changes</p>
      ) : (
        <>
          <ul aria-labelledby={`changes-${title}`} className="grid gap-1.5">
            {changes.slice(0, SHOWN).map(({ action, label, count }) => (
              <li key={action} className="flex items-baseline justify-between gap-3">
                <TextLink href={hrefOf({ action })}>{label}</TextLink>
                <span className="tabular-nums">{formatCount(count)}</span>
              </li>
            ))}
          </ul>
          {others.length > 0 && (
            <p className="text-[13px]">
              <TextLink href={hrefOf({})}>
                {formatCount(others.reduce((sum, { count }) => sum + count, 0))} others
              </TextLink>
            </p>
          )}
        </>
      )}
    </section>
  );
}

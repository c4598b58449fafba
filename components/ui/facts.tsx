import type { ReactNode } from "react";

export interface Fact {
  term: string;
  /** Empty values are omitted. */
  value: ReactNode;
}

const isKnown = ({ value }: Fact) => value !== null && value !== undefined && value !== false && value !== "";

/** Description list in as many columns as fit. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(11rem,100%),1fr))] gap-x-6 gap-y-3">
      {facts.filter(isKnown).map(({ term, value }) => (
        <div key={term} className="grid min-w-0 content-start gap-0.5">
          <dt className="text-[13px] text-muted">{term}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

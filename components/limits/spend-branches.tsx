import { BudgetMeter } from "@/components/home/budget-meter";
import { Moment } from "@/components/home/moment";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import type { LimitSubject } from "@/lib/engine/budgets/vocabulary";
import type { Limit } from "@/lib/records/limits/contract";
import { limitText, SUBJECT_LABELS, subjectText } from "./limit-text";
import { firstReached, type Branch, type Entry } from "./spend-tree";
import { StandingMeter } from "./standing-meter";

interface SpendBranchesProps {
  branches: readonly Branch[];
  /** Number of limits and budgets that aren't listed. */
  hidden: number;
  onOpen: (id: string) => void;
}

const nameOf = ({ limit, budget }: Entry): string => limit?.name ?? budget?.subject.name ?? "";

const groupLabel = (subject: LimitSubject): string =>
  subject === "organization" ? "All requests" : SUBJECT_LABELS[subject];

/** The limits of the organization and of each workspace. The one that is reached first is marked. */
export function SpendBranches({ branches, hidden, onOpen }: SpendBranchesProps) {
  const first = firstReached(branches);
  return (
    <div className="grid gap-5">
      {first?.exhaustedAt && (
        <p role="status" className="rounded-md bg-subtle px-4 py-3">
          <strong className="font-medium wrap-anywhere">{nameOf(first)}</strong> is reached first: at the current pace,
          on <Moment at={first.exhaustedAt} />.
        </p>
      )}
      <ul aria-label="Limits by workspace" className="grid gap-5">
        {branches.map(({ workspace, groups }) => (
          <li key={workspace?.id ?? ""} className={workspace ? "sm:ml-6" : undefined}>
            <Card
              id={`branch-${workspace?.id ?? "organization"}`}
              title={workspace?.name ?? "Organization"}
              className="grid gap-5"
            >
              {groups.map(({ subject, entries }) => (
                <div key={subject} className="grid gap-3">
                  <h3 className="text-[13px] font-medium text-muted">{groupLabel(subject)}</h3>
                  <ul
                    aria-label={groupLabel(subject)}
                    className="grid grid-cols-[repeat(auto-fill,minmax(min(22rem,100%),1fr))] gap-x-8 gap-y-5"
                  >
                    {entries.map((entry) => (
                      <li key={entry.key} className="grid content-start gap-1">
                        {entry === first && (
                          <span>
                            <Badge tone="warning">Reached first</Badge>
                          </span>
                        )}
                        {entry.limit ? (
                          <LimitEntry limit={entry.limit} onOpen={onOpen} />
                        ) : (
                          <BudgetMeter budget={entry.budget} />
                        )}
                      </li>
                    ))}
                  </ul>
                </div>
              ))}
            </Card>
          </li>
        ))}
      </ul>
      {hidden > 0 && <p className="text-[13px] text-muted">{hidden.toLocaleString("en")} more aren’t shown.</p>}
    </div>
  );
}

interface LimitEntryProps {
  limit: Limit;
  /** Missing where limits can't be changed. */
  onOpen?: (id: string) => void;
}

/** A limit with the subject that is closest to it. */
export function LimitEntry({ limit, onOpen }: LimitEntryProps) {
  const { id, name, closest, enabled, subject_names: names } = limit;
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <span className="flex min-w-0 flex-wrap items-center gap-2">
          <span className="font-medium wrap-anywhere">{name}</span>
          {!enabled && <Badge>Off</Badge>}
        </span>
        {onOpen && (
          <Button size="sm" variant="ghost" aria-label={`Open ${name}`} onClick={() => onOpen(id)}>
            Open
          </Button>
        )}
      </div>
      <p className="text-[13px] text-muted wrap-anywhere">
        {subjectText({ ...limit, names })}: {limitText(limit)}
      </p>
      {closest ? (
        <StandingMeter limit={limit} standing={closest} />
      ) : (
        <p className="text-[13px] text-muted">Nothing used in this period</p>
      )}
    </div>
  );
}

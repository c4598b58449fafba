import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { RelativeTime } from "@/components/ui/relative-time";
import type { GuardrailVersion } from "@/lib/records/guardrails/versions-contract";
import { FIELD_LABELS } from "./field-labels";
import type { GuardrailField } from "./guardrail-values";

interface HistoryListProps {
  versions: readonly GuardrailVersion[];
  /** The newest revision. */
  current: number;
  from: number;
  to: number;
  onCompare: (state: { from?: number; to?: number }) => void;
  onRestore: (revision: number) => void;
}

/** Distinct field labels; the four zero-data-retention fields share one. */
const changesText = (fields: readonly string[]) =>
  [...new Set(fields.map((field) => FIELD_LABELS[field as GuardrailField]))].join(", ");

/** Revisions, newest first; any two can be compared. */
export function HistoryList({ versions, current, from, to, onCompare, onRestore }: HistoryListProps) {
  return (
    <ol aria-label="Revisions" className="divide-y overflow-hidden rounded-lg border bg-surface">
      {versions.map(({ revision, author, created_at, message, changed_fields }) => (
        <li
          key={revision}
          aria-label={`Revision ${revision}`}
          className={cn("grid gap-2 px-4 py-3", (revision === from || revision === to) && "bg-accent-subtle/50")}
        >
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-medium">Revision {revision}</span>
            {revision === current && <Badge tone="success">Current</Badge>}
            <span className="text-[13px] text-muted">
              {author ? author.name : "An API key"} · <RelativeTime at={created_at} />
            </span>
          </div>
          {message && <p className="wrap-anywhere">{message}</p>}
          <p className="text-[13px] text-muted">
            {changed_fields.length === 0
              ? "No field changed"
              : `${revision === 1 ? "Set" : "Changed"}: ${changesText(changed_fields)}`}
          </p>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-[13px]">
            <Compared
              name="from"
              label={`Compare from revision ${revision}`}
              text="From"
              isChosen={revision === from}
              onChoose={() => onCompare({ from: revision })}
            />
            <Compared
              name="to"
              label={`Compare to revision ${revision}`}
              text="To"
              isChosen={revision === to}
              onChoose={() => onCompare({ to: revision })}
            />
            {revision !== current && (
              <Button
                size="sm"
                className="ml-auto"
                aria-label={`Restore revision ${revision}`}
                onClick={() => onRestore(revision)}
              >
                Restore…
              </Button>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

interface ComparedProps {
  name: "from" | "to";
  label: string;
  text: string;
  isChosen: boolean;
  onChoose: () => void;
}

const Compared = ({ name, label, text, isChosen, onChoose }: ComparedProps) => (
  <label className="flex min-h-6 items-center gap-1.5">
    <input
      type="radio"
      name={name}
      aria-label={label}
      checked={isChosen}
      onChange={onChoose}
      className="size-4 accent-primary"
    />
    <span aria-hidden>{text}</span>
  </label>
);

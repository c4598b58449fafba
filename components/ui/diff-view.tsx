import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { fieldChanges, type FieldChange } from "@/lib/browser/field-changes";
import { Badge } from "./badge";
import { cn } from "./class-names";
import { count } from "@/lib/platform/count";

interface DiffViewProps {
  before: unknown;
  after: unknown;
  beforeLabel: string;
  afterLabel: string;
  /** Field labels by path: { "limit_usd": "Limit" }. */
  labels?: Readonly<Record<string, string>>;
  /** Formats of numbers by path: { "limit_usd": formatUsd }. */
  formats?: Readonly<Record<string, (value: number) => string>>;
}

const KINDS = {
  added: { text: "Added", tone: "success" },
  removed: { text: "Removed", tone: "danger" },
  changed: { text: "Changed", tone: "warning" },
} as const;

/** Diff with one row per changed field. */
export function DiffView({ before, after, beforeLabel, afterLabel, labels = {}, formats = {} }: DiffViewProps) {
  const changes = fieldChanges(before, after);
  if (changes.length === 0)
    return <p className="rounded-lg border border-dashed p-4 text-center text-muted">No differences.</p>;
  return (
    <div
      role="group"
      aria-label={`Changes from ${beforeLabel} to ${afterLabel}`}
      className="overflow-hidden rounded-lg border bg-surface text-[13px]"
    >
      <p className="flex flex-wrap items-center gap-1.5 border-b bg-subtle/50 px-3 py-2 text-muted">
        <span>{beforeLabel}</span>
        <ArrowRight aria-label="to" className="size-3.5" />
        <span>{afterLabel}</span>
        <span className="ml-auto">{count(changes.length, "field")}</span>
      </p>
      <dl className="divide-y">
        {changes.map((change) => (
          <div
            key={change.path.join("\u0000")}
            className="grid gap-x-4 gap-y-1.5 px-3 py-2.5 sm:grid-cols-[minmax(9rem,14rem)_1fr]"
          >
            <dt className="flex items-start justify-between gap-2">
              <span className="font-medium wrap-anywhere">{nameOf(change.path, labels)}</span>
              <Badge tone={KINDS[change.kind].tone}>{KINDS[change.kind].text}</Badge>
            </dt>
            <dd className="min-w-0">
              <Change change={change} format={formats[change.path.join(".")]} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** Label of the longest known path prefix, followed by the remaining path. */
function nameOf(path: readonly string[], labels: Readonly<Record<string, string>>): string {
  if (path.length === 0) return "Value";
  const known =
    path
      .map((_, index) => path.length - index)
      .find((length) => labels[path.slice(0, length).join(".")] !== undefined) ?? 0;
  const words = path
    .slice(known)
    .map((part, index) =>
      known + index === 0
        ? part.charAt(0).toUpperCase() + part.slice(1).replaceAll("_", " ")
        : part.replaceAll("_", " "),
    );
  return [labels[path.slice(0, known).join(".")], ...words].filter((word) => word !== undefined).join(" › ");
}

interface ChangeProps {
  change: FieldChange;
  format: ((value: number) => string) | undefined;
}

function Change({ change: { kind, before, after, entries }, format }: ChangeProps) {
  const written = (value: unknown) => (format && typeof value === "number" ? format(value) : value);
  if (entries && (entries.added.length > 0 || entries.removed.length > 0)) {
    return (
      <ul className="flex flex-wrap gap-1">
        {entries.removed.map((entry) => (
          <Entry
            key={`- ${JSON.stringify(entry)}`}
            sign="−"
            said="removed"
            className="bg-danger-subtle text-danger line-through"
            entry={entry}
          />
        ))}
        {entries.added.map((entry) => (
          <Entry
            key={`+ ${JSON.stringify(entry)}`}
            sign="+"
            said="added"
            className="bg-success-subtle text-success"
            entry={entry}
          />
        ))}
      </ul>
    );
  }
  return (
    <div className="grid justify-items-start gap-1">
      {kind !== "added" && (
        <del className="max-w-full rounded-sm bg-danger-subtle px-1.5 py-0.5 text-danger no-underline">
          <Value value={written(before)} />
        </del>
      )}
      {kind !== "removed" && (
        <ins className="max-w-full rounded-sm bg-success-subtle px-1.5 py-0.5 text-success no-underline">
          <Value value={written(after)} />
        </ins>
      )}
    </div>
  );
}

function Entry({ sign, said, entry, className }: { sign: string; said: string; entry: unknown; className: string }) {
  return (
    <li className={cn("max-w-full rounded-sm px-1.5 py-0.5", className)}>
      <span aria-hidden>{sign} </span>
      <span className="sr-only">{said} </span>
      <Value value={entry} />
    </li>
  );
}

function Value({ value }: { value: unknown }): ReactNode {
  if (typeof value === "string")
    return <span className="wrap-anywhere whitespace-pre-wrap">{value === "" ? "(empty)" : value}</span>;
  if (typeof value === "object" && value !== null)
    return <code className="block font-mono wrap-anywhere whitespace-pre-wrap">{JSON.stringify(value, null, 2)}</code>;
  return <code className="font-mono">{String(value)}</code>;
}

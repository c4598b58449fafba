import { Badge } from "@/components/ui/badge";
import { CONFIG_LABELS } from "./config-labels";

/** Readable configuration, one row per setting. */
export function ConfigFacts({ config }: { config: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(config);
  if (entries.length === 0) return <p className="text-muted">No settings. Requests provide their own.</p>;
  return (
    <dl className="divide-y">
      {entries.map(([name, value]) => (
        <div key={name} className="grid gap-x-6 gap-y-1 py-2.5 first:pt-0 last:pb-0 sm:grid-cols-[13rem_minmax(0,1fr)]">
          <dt className="text-[13px] text-muted" title={name}>
            {CONFIG_LABELS[name] ?? name}
          </dt>
          <dd className="min-w-0 wrap-anywhere">
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value }: { value: unknown }) {
  if (typeof value === "string") return <code className="font-mono text-[13px]">{value}</code>;
  if (typeof value === "boolean") return <>{value ? "Yes" : "No"}</>;
  if (typeof value === "number") return <span className="tabular-nums">{value}</span>;
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) {
    return (
      <span className="flex flex-wrap gap-1">
        {value.map((entry) => (
          <Badge key={entry} className="font-mono font-normal whitespace-normal text-foreground">
            {entry}
          </Badge>
        ))}
      </span>
    );
  }
  return <pre className="font-mono text-[13px]/5 whitespace-pre-wrap">{JSON.stringify(value, null, 2)}</pre>;
}

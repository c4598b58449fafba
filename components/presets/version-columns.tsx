import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type { Column } from "@/components/ui/data-table";
import { LinkButton } from "@/components/ui/link-button";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatUsd } from "@/components/ui/usd";
import type { PresetVersionEntry, PresetWithVersion } from "@/lib/records/presets/contract";
import type { PresetVersionUsage } from "@/lib/records/presets/usage-contract";

interface VersionColumnsOptions {
  inUse: number;
  labels: PresetWithVersion["labels"];
  /** Null while loading. */
  usageOf: ((version: number) => PresetVersionUsage | undefined) | null;
  hrefOf: (version: number) => string;
  /** Null without permission. */
  onDesignate: ((version: number) => void) | null;
  onLabel: ((version: number) => void) | null;
  onCompare: (version: number) => void;
  /** Address of a new version based on this one; null without permission. */
  editHrefOf: ((version: number) => string) | null;
}

const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

/** Share of requests that failed. */
const failureRate = ({ failed, requests }: PresetVersionUsage) => percent.format(failed / requests);

export function versionColumns({
  inUse,
  labels,
  usageOf,
  hrefOf,
  onDesignate,
  onLabel,
  onCompare,
  editHrefOf,
}: VersionColumnsOptions): Column<PresetVersionEntry>[] {
  const used = (show: (usage: PresetVersionUsage) => string) =>
    function Used({ version }: PresetVersionEntry) {
      if (!usageOf) return <span className="text-muted">…</span>;
      const usage = usageOf(version);
      return usage ? <span className="tabular-nums">{show(usage)}</span> : <span className="text-muted">–</span>;
    };
  return [
    {
      header: "Version",
      cell: ({ version }) => (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link href={hrefOf(version)} className="font-medium whitespace-nowrap underline-offset-2 hover:underline">
            Version {version}
          </Link>
          {version === inUse && <Badge tone="success">Live</Badge>}
          {Object.keys(labels).map(
            (label) =>
              labels[label] === version && (
                <Badge key={label} tone="accent" className="font-mono">
                  {label}
                </Badge>
              ),
          )}
        </span>
      ),
    },
    {
      header: "Created",
      cell: ({ created_at, creator_name }) => (
        <span className="grid md:min-w-28">
          <span className="line-clamp-1 break-all">{creator_name ?? "Unknown"}</span>
          <span className="text-[13px] text-muted">
            <RelativeTime at={created_at} />
          </span>
        </span>
      ),
    },
    {
      header: "Message",
      className: "md:w-[22%]",
      cell: ({ message }) =>
        message === null ? <span className="text-muted">–</span> : <span className="break-words">{message}</span>,
    },
    { header: "Requests", align: "right", cell: used(({ requests }) => requests.toLocaleString("en")) },
    { header: "Failed", align: "right", cell: used(failureRate) },
    { header: "Cost", align: "right", cell: used(({ cost_usd }) => formatUsd(cost_usd)) },
    {
      header: "Actions",
      isControl: "below",
      cell: ({ version }) => (
        <span className="flex flex-wrap justify-end gap-1 md:flex-nowrap">
          {version !== inUse && (
            <Button
              size="sm"
              variant="ghost"
              aria-label={`Compare version ${version} with the live version`}
              onClick={() => onCompare(version)}
            >
              Compare
            </Button>
          )}
          {editHrefOf && (
            <LinkButton
              size="sm"
              variant="ghost"
              aria-label={`New version based on version ${version}`}
              href={editHrefOf(version)}
            >
              New version
            </LinkButton>
          )}
          {onLabel && (
            <Button
              size="sm"
              variant="ghost"
              aria-label={`Labels of version ${version}`}
              onClick={() => onLabel(version)}
            >
              Labels…
            </Button>
          )}
          {onDesignate && version !== inUse && (
            <Button size="sm" aria-label={`Make version ${version} live`} onClick={() => onDesignate(version)}>
              Make live…
            </Button>
          )}
        </span>
      ),
    },
  ];
}

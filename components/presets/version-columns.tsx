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

/** The version with a badge for each label that leads to it. */
function VersionCell({
  version,
  href,
  isLive,
  labels,
}: {
  version: number;
  href: string;
  isLive: boolean;
  labels: VersionColumnsOptions["labels"];
}) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Link href={href} className="font-medium whitespace-nowrap underline-offset-2 hover:underline">
        Version {version}
      </Link>
      {isLive && <Badge tone="success">Live</Badge>}
      {Object.keys(labels).map(
        (label) =>
          labels[label] === version && (
            <Badge key={label} tone="accent" className="font-mono">
              {label}
            </Badge>
          ),
      )}
    </span>
  );
}

type Actions = Pick<VersionColumnsOptions, "onDesignate" | "onLabel" | "onCompare" | "editHrefOf">;

function VersionActions({
  version,
  isLive,
  onDesignate,
  onLabel,
  onCompare,
  editHrefOf,
}: Actions & {
  version: number;
  isLive: boolean;
}) {
  return (
    <span className="flex flex-wrap justify-end gap-1 md:flex-nowrap">
      {!isLive && (
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
        <Button size="sm" variant="ghost" aria-label={`Labels of version ${version}`} onClick={() => onLabel(version)}>
          Labels…
        </Button>
      )}
      {onDesignate && !isLive && (
        <Button size="sm" aria-label={`Make version ${version} live`} onClick={() => onDesignate(version)}>
          Make live…
        </Button>
      )}
    </span>
  );
}

/** Columns of a preset's versions, with what requests to each cost. */
export function versionColumns({
  inUse,
  labels,
  usageOf,
  hrefOf,
  ...actions
}: VersionColumnsOptions): Column<PresetVersionEntry>[] {
  const used = (show: (usage: PresetVersionUsage) => string) =>
    function Used({ version }: PresetVersionEntry) {
      if (!usageOf) return <span className="text-muted">…</span>;
      const usage = usageOf(version);
      return usage ? <span className="tabular-nums">{show(usage)}</span> : <span className="text-muted">–</span>;
    };
  return [
    {
      id: "version",
      header: "Version",
      cell: ({ version }) => (
        <VersionCell version={version} href={hrefOf(version)} isLive={version === inUse} labels={labels} />
      ),
    },
    {
      id: "created",
      header: "Created",
      cell: ({ created_at, creator_name }) => (
        <span className="grid">
          <span className="line-clamp-1 break-all">{creator_name ?? "Unknown"}</span>
          <span className="text-[13px] text-muted">
            <RelativeTime at={created_at} />
          </span>
        </span>
      ),
    },
    {
      id: "message",
      header: "Message",
      className: "md:w-[22%]",
      cell: ({ message }) =>
        message === null ? <span className="text-muted">–</span> : <span className="break-words">{message}</span>,
    },
    { id: "requests", header: "Requests", align: "right", cell: used(({ requests }) => requests.toLocaleString("en")) },
    { id: "failed", header: "Failed", align: "right", cell: used(failureRate) },
    { id: "cost", header: "Cost", align: "right", cell: used(({ cost_usd }) => formatUsd(cost_usd)) },
    {
      id: "actions",
      header: "Actions",
      isControl: "below",
      cell: ({ version }) => <VersionActions version={version} isLive={version === inUse} {...actions} />,
    },
  ];
}

import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import Link from "next/link";
import { DataState } from "@/components/layout/data-state";
import { Pager } from "@/components/layout/pager";
import { useMay } from "@/components/session/user-context";
import { Card } from "@/components/ui/card";
import { DataTable, DataTableSkeleton, type Column } from "@/components/ui/data-table";
import { Select } from "@/components/ui/select";
import type { PresetWithVersion, PresetVersionEntry } from "@/lib/records/presets/contract";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/link-button";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatUsd } from "@/components/ui/usd";
import type { PresetVersionUsage } from "@/lib/records/presets/usage-contract";
import { DesignateDialog } from "./designate-dialog";
import { LabelsDialog } from "./labels-dialog";
import { presetPath, withQuery } from "./preset-path";
import { presetUsageQuery, presetVersionsQuery, USAGE_DAYS, type PresetAddress } from "./preset-queries";
import { PRESET_STATE } from "./preset-state";
import { VersionDiff } from "./version-diff";

interface VersionsPanelProps {
  preset: PresetWithVersion;
  address: PresetAddress;
}

/** Version history with usage, and the comparison of the two versions in the URL. */
export function VersionsPanel({ preset, address }: VersionsPanelProps) {
  const canEdit = useMay("presets:write");
  const [{ offset, before, after }, setState] = useQueryStates(PRESET_STATE, { history: "push" });
  const [toDesignate, setToDesignate] = useState<number | null>(null);
  const [labelled, setLabelled] = useState<number | null>(null);
  const versions = useQuery(presetVersionsQuery(address, offset));
  const usage = useQuery(presetUsageQuery(address, USAGE_DAYS));
  const used = usage.data && new Map(usage.data.data.map((row) => [row.version, row]));
  const inUse = preset.designated_version.version;
  const columns = versionColumns({
    inUse,
    labels: preset.labels,
    usageOf: used ? (version) => used.get(version) : null,
    hrefOf: (version) => presetPath(address.slug, address.workspace, { version: String(version) }),
    onDesignate: canEdit ? setToDesignate : null,
    onLabel: canEdit ? setLabelled : null,
    editHrefOf: canEdit
      ? (version) =>
          withQuery("/presets/new", { workspace: address.workspace, from: address.slug, version: String(version) })
      : null,
    onCompare: (version) => void setState({ before: Math.min(version, inUse), after: Math.max(version, inUse) }),
  });
  return (
    <DataState query={versions} subject="versions" skeleton={<DataTableSkeleton columns={columns} />}>
      {({ data, total_count }) => (
        <div className="grid gap-4">
          <div>
            <DataTable label="Versions" columns={columns} rows={data} rowKey={({ id }) => id} />
            <Pager total={total_count} shown={data.length} />
            <p className="mt-2 text-[13px] text-muted">
              {usage.isError
                ? "Usage couldn't be loaded."
                : `Requests, failures and cost cover the last ${USAGE_DAYS} days.`}
            </p>
          </div>
          {total_count > 1 && (
            <Comparison
              address={address}
              latest={total_count}
              before={within(before ?? total_count - 1, total_count)}
              after={within(after ?? total_count, total_count)}
              onChange={(chosen) => void setState(chosen)}
            />
          )}
          {labelled !== null && (
            <LabelsDialog preset={preset} address={address} version={labelled} onClose={() => setLabelled(null)} />
          )}
          <DesignateDialog
            preset={preset}
            address={address}
            version={toDesignate}
            onClose={() => setToDesignate(null)}
          />
        </div>
      )}
    </DataState>
  );
}

const within = (version: number, latest: number) => Math.min(Math.max(version, 1), latest);

interface ComparisonProps {
  address: PresetAddress;
  latest: number;
  before: number;
  after: number;
  onChange: (chosen: { before?: number; after?: number }) => void;
}

function Comparison({ address, latest, before, after, onChange }: ComparisonProps) {
  const options = Array.from({ length: latest }, (_, index) => ({
    value: String(latest - index),
    label: `Version ${latest - index}`,
  }));
  return (
    <Card
      id="comparison"
      title="Compare versions"
      action={
        <div className="flex flex-wrap items-center gap-2 text-[13px] text-muted">
          <Select
            aria-label="From version"
            className="w-32"
            value={String(before)}
            onValueChange={(value) => onChange({ before: Number(value) })}
            options={options}
          />
          to
          <Select
            aria-label="To version"
            className="w-32"
            value={String(after)}
            onValueChange={(value) => onChange({ after: Number(value) })}
            options={options}
          />
        </div>
      }
    >
      <VersionDiff address={address} before={before} after={after} />
    </Card>
  );
}

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

/** The version, with a badge for each label that points to it. */
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

/** Columns of a preset's versions, with the cost of their requests. */
function versionColumns({
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

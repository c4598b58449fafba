import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { Pager } from "@/components/layout/pager";
import { useUser } from "@/components/session/user-context";
import { Card } from "@/components/ui/card";
import { DataTable, DataTableSkeleton } from "@/components/ui/data-table";
import { Select } from "@/components/ui/select";
import type { PresetWithVersion } from "@/lib/records/presets/contract";
import { DesignateDialog } from "./designate-dialog";
import { LabelsDialog } from "./labels-dialog";
import { presetPath, withQuery } from "./preset-path";
import { presetUsageQuery, presetVersionsQuery, USAGE_DAYS, type PresetAddress } from "./preset-queries";
import { PRESET_STATE } from "./preset-state";
import { versionColumns } from "./version-columns";
import { VersionDiff } from "./version-diff";

interface VersionsPanelProps {
  preset: PresetWithVersion;
  address: PresetAddress;
}

/** Version history with usage, and the comparison of the two versions in the URL. */
export function VersionsPanel({ preset, address }: VersionsPanelProps) {
  const { isAdmin } = useUser();
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
    onDesignate: isAdmin ? setToDesignate : null,
    onLabel: isAdmin ? setLabelled : null,
    editHrefOf: isAdmin
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

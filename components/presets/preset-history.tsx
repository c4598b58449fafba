"use client";
import { useQuery } from "@tanstack/react-query";
import { parseAsInteger, useQueryState } from "nuqs";
import { DataState } from "@/components/layout/data-state";
import { Pager, useOffset } from "@/components/layout/pager";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import type { PresetVersion, PresetWithVersion } from "@/lib/presets/contract";
import { presetVersionQuery, presetVersionsQuery } from "./preset-queries";
import { PresetVersionPanel } from "./preset-version-panel";

/** The versions, and the chosen one beside them; the choice stands in the URL. */
export function PresetHistory({ preset }: { preset: PresetWithVersion }) {
  const [offset] = useOffset();
  const [chosen, setChosen] = useQueryState("version", parseAsInteger.withDefault(preset.designated_version.version));
  const versions = useQuery(presetVersionsQuery(preset.slug, offset));
  const version = useQuery(presetVersionQuery(preset.slug, chosen));
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[18rem_minmax(0,1fr)]">
      <Card id="versions" title="Versions" description="Oldest first. Requests use the designated one." className="p-1.5">
        <DataState query={versions} subject="the versions" skeleton={<Skeleton className="m-2 h-24" />}>
          {({ data, total_count }) => (
            <>
              <ul className="grid gap-0.5">
                {data.map((entry) => (
                  <li key={entry.id}>
                    <VersionButton
                      entry={entry}
                      isChosen={entry.version === chosen}
                      isDesignated={entry.id === preset.designated_version_id}
                      onChoose={() => void setChosen(entry.version)}
                    />
                  </li>
                ))}
              </ul>
              <Pager total={total_count} shown={data.length} />
            </>
          )}
        </DataState>
      </Card>
      <DataState query={version} subject={`version ${chosen}`} skeleton={<Skeleton className="h-80 rounded-lg" />}>
        {(data) => <PresetVersionPanel preset={preset} version={data} />}
      </DataState>
    </div>
  );
}

interface VersionButtonProps {
  entry: PresetVersion;
  isChosen: boolean;
  isDesignated: boolean;
  onChoose: () => void;
}

function VersionButton({ entry, isChosen, isDesignated, onChoose }: VersionButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={cn("flex w-full items-center gap-2 rounded-md px-2.5 py-2 text-left hover:bg-subtle", isChosen && "bg-subtle-strong hover:bg-subtle-strong")}
    >
      <span className="grid">
        <span className="font-medium">Version {entry.version}</span>
        <span className={cn("text-[13px]", isChosen ? "text-foreground" : "text-muted")}>
          <RelativeTime at={entry.created_at} />
        </span>
      </span>
      {isDesignated && (
        <Badge tone="success" className="ml-auto">
          Designated
        </Badge>
      )}
    </button>
  );
}

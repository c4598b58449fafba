"use client";
import { useQuery } from "@tanstack/react-query";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { useUser } from "@/components/session/user-context";
import { MonoId } from "@/components/ui/mono-id";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import type { PresetWithVersion } from "@/lib/presets/contract";
import { PresetHistory } from "./preset-history";
import { presetQuery } from "./preset-queries";
import { PresetStatus } from "./preset-status";
import { StatusMenu } from "./status-menu";

export function PresetDetail({ slug }: { slug: string }) {
  const { isAdmin } = useUser();
  const preset = useQuery(presetQuery(slug));
  return (
    <>
      <PageHeader
        title={preset.data?.name ?? slug}
        badge={preset.data && <PresetStatus status={preset.data.status} />}
        description={preset.data && <Facts preset={preset.data} />}
        action={preset.data && isAdmin && <StatusMenu preset={preset.data} />}
      />
      <DataState query={preset} subject="this preset" skeleton={<DetailSkeleton />}>
        {(data) => <PresetHistory preset={data} />}
      </DataState>
    </>
  );
}

function Facts({ preset }: { preset: PresetWithVersion }) {
  return (
    <div className="grid gap-1.5">
      {preset.description && <p>{preset.description}</p>}
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px]">
        <MonoId value={`@preset/${preset.slug}`} name="model name" />
        <span>
          Changed <RelativeTime at={preset.updated_at} />
        </span>
      </p>
    </div>
  );
}

function DetailSkeleton() {
  return (
    <div className="grid gap-4 lg:grid-cols-[18rem_minmax(0,1fr)]">
      <Skeleton className="h-48 rounded-lg" />
      <Skeleton className="h-80 rounded-lg" />
    </div>
  );
}

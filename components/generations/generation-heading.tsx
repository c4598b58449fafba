import { MonoId } from "@/components/ui/mono-id";
import { Skeleton } from "@/components/ui/skeleton";
import type { Generation } from "@/lib/records/generations/contract";
import { ClockTime } from "./clock-time";
import { GenerationStatus } from "./generation-status";

/** Status, model and time of a generation, for the page and the side sheet. */
export function GenerationHeading({ generation: { id, model, status, created_at } }: { generation: Generation }) {
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 font-mono text-sm font-semibold wrap-anywhere">{model}</h2>
        <GenerationStatus status={status} />
      </div>
      <GenerationOrigin id={id} createdAt={created_at} />
    </div>
  );
}

export function GenerationOrigin({ id, createdAt }: { id: string; createdAt: string | undefined }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px] text-muted">
      <MonoId value={id} name="generation ID" />
      {createdAt && <ClockTime at={createdAt} />}
    </div>
  );
}

export function InspectionSkeleton() {
  return (
    <div className="grid gap-4">
      <Skeleton className="h-24 rounded-lg" />
      <Skeleton className="h-80 rounded-lg" />
      <Skeleton className="h-48 rounded-lg" />
    </div>
  );
}

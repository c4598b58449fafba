import { Skeleton } from "@/components/ui/skeleton";

export function EditorSkeleton() {
  return (
    <div className="grid gap-x-4 gap-y-6 lg:grid-cols-[minmax(0,1fr)_22rem] 2xl:grid-cols-[minmax(0,1fr)_26rem]">
      <div className="grid content-start gap-4">
        <Skeleton className="h-180 rounded-lg" />
        <Skeleton className="h-52 rounded-lg" />
      </div>
      <div className="grid content-start gap-4">
        <Skeleton className="h-9" />
        <Skeleton className="h-72 rounded-lg" />
      </div>
    </div>
  );
}

import { Skeleton } from "@/components/ui/skeleton";

export function EditorSkeleton() {
  return (
    <div className="grid gap-x-6 gap-y-4 xl:grid-cols-[minmax(0,1fr)_23rem] 2xl:grid-cols-[10rem_minmax(0,1fr)_25rem]">
      <Skeleton className="h-11 xl:col-span-2 2xl:col-span-1 2xl:h-52" />
      <div className="grid gap-4">
        <Skeleton className="h-56 rounded-lg" />
        <Skeleton className="h-52 rounded-lg" />
        <Skeleton className="h-52 rounded-lg" />
      </div>
      <div className="grid content-start gap-4">
        <Skeleton className="h-28 rounded-lg" />
        <Skeleton className="h-72 rounded-lg" />
      </div>
    </div>
  );
}

import { Skeleton } from "@/components/ui/skeleton";

export function EditorSkeleton() {
  return (
    <div className="grid gap-x-4 gap-y-3 2xl:gap-x-6 lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[minmax(0,1fr)_22rem] 2xl:grid-cols-[10rem_minmax(0,1fr)_26rem]">
      <Skeleton className="h-11 lg:col-span-2 2xl:col-span-1 2xl:h-52" />
      <div className="grid gap-4">
        <Skeleton className="h-120 rounded-lg" />
        <Skeleton className="h-52 rounded-lg" />
      </div>
      <div className="grid content-start gap-4">
        <Skeleton className="h-9" />
        <Skeleton className="h-72 rounded-lg" />
      </div>
    </div>
  );
}

import type { ReactNode } from "react";
import { Skeleton } from "@/components/ui/skeleton";

const columns = "grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_21rem]";

/** Two-column layout of detail pages, stacked on narrow screens. */
export function TwoColumns({ children, aside }: { children: ReactNode; aside: ReactNode }) {
  return (
    <div className={columns}>
      <div className="grid min-w-0 gap-4">{children}</div>
      <aside className="grid min-w-0 gap-4">{aside}</aside>
    </div>
  );
}

const box = (height: string) => (
  <div className={`grid content-start gap-3 rounded-lg border bg-surface p-4 ${height}`}>
    <Skeleton className="w-1/4" />
    <Skeleton className="w-3/4" />
    <Skeleton className="w-1/2" />
  </div>
);

export function TwoColumnsSkeleton() {
  return (
    <div aria-hidden className={columns}>
      <div className="grid gap-4">
        {box("h-64")}
        {box("h-80")}
      </div>
      <div className="grid gap-4">
        {box("h-40")}
        {box("h-80")}
      </div>
    </div>
  );
}

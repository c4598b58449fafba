import { Skeleton } from "@/components/ui/skeleton";

/** Minimum height of the chart with its measures in one, two or three rows. */
export const USAGE_HEIGHT = "min-h-[36.5rem] sm:min-h-[30.5rem] lg:min-h-[26.6rem]";

/** Placeholder of `SubjectUsage` with its height, so that the page doesn't shift. */
export const SubjectUsageSkeleton = () => (
  <div className="grid gap-3">
    <Skeleton className="h-8" />
    <Skeleton className={USAGE_HEIGHT} />
  </div>
);

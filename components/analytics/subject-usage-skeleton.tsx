import { Skeleton } from "@/components/ui/skeleton";

/** Least height of the chart with its measures, which are in one row, two or three. */
export const USAGE_HEIGHT = "min-h-[36.5rem] sm:min-h-[30.5rem] lg:min-h-[26.6rem]";

/** As high as `SubjectUsage`, so that the parts below don't move when it is shown. */
export const SubjectUsageSkeleton = () => (
  <div className="grid gap-3">
    <Skeleton className="h-8" />
    <Skeleton className={USAGE_HEIGHT} />
  </div>
);

import { Skeleton } from "@/components/ui/skeleton";

export const securitySkeleton = () => <Skeleton className="h-62 w-full sm:h-48" />;

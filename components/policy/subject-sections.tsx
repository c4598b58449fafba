import { SubjectUsageSkeleton } from "@/components/analytics/subject-usage-skeleton";
import { lazyComponent } from "@/components/ui/lazy-component";
import { Skeleton } from "@/components/ui/skeleton";

const loading = () => <Skeleton className="h-72 rounded-lg" />;

/** Sections of a key's and a member's page that load late. */
export const SubjectUsage = lazyComponent(
  () => import("@/components/analytics/subject-usage").then((file) => file.SubjectUsage),
  { loading: SubjectUsageSkeleton },
);
export const ExceptionsSection = lazyComponent(
  () => import("@/components/exceptions/exceptions-section").then((file) => file.ExceptionsSection),
  { loading },
);
export const WorkloadIdentities = lazyComponent(
  () => import("@/components/workload-identities/identities-section").then((file) => file.IdentitiesSection),
  { loading: () => <Skeleton className="h-28 rounded-lg" /> },
);
export const LimitsCard = lazyComponent(
  () => import("@/components/limits/limits-card").then((file) => file.LimitsCard),
  { loading: () => <Skeleton className="h-40 rounded-lg" /> },
);
export const EffectivePolicy = lazyComponent(() => import("./effective-policy").then((file) => file.EffectivePolicy), {
  loading,
});
export const TestPanel = lazyComponent(() => import("./test-panel").then((file) => file.TestPanel), { loading });

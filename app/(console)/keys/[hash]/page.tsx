import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { subjectUsageQuery } from "@/components/analytics/analytics-queries";
import { loadSubjectUsageState } from "@/components/analytics/analytics-state";
import { exceptionListQuery } from "@/components/exceptions/exception-queries";
import { recentGenerationsQuery } from "@/components/generations/recent-generations-query";
import { budgetsQuery } from "@/components/home/budget-queries";
import { KeyDetail } from "@/components/keys/key-detail";
import { keyQuery } from "@/components/keys/key-queries";
import { effectivePolicyQuery } from "@/components/policy/policy-queries";
import { identitiesQuery } from "@/components/workload-identities/identity-queries";

export const metadata: Metadata = { title: "API key" };

export default async function KeyPage({ params, searchParams }: PageProps<{ hash: string }>) {
  const { hash } = await params;
  return (
    <Prefetch
      queries={[
        keyQuery(hash),
        exceptionListQuery({ key_hash: hash }),
        identitiesQuery(hash),
        effectivePolicyQuery({ key_hash: hash }),
        budgetsQuery({ key_hash: hash }),
        subjectUsageQuery(await loadSubjectUsageState(searchParams), { key_hash: hash }),
        recentGenerationsQuery({ key_hash: hash }),
      ]}
    >
      <KeyDetail key={hash} hash={hash} />
    </Prefetch>
  );
}

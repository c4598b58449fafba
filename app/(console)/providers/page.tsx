import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { modelListQuery } from "@/components/models/model-queries";
import { providerListQuery, loadProvidersState } from "@/components/providers/provider-queries";
import { ProvidersPage } from "@/components/providers/providers-page";

export const metadata: Metadata = { title: "Providers & models" };

export default async function Page({ searchParams }: PageProps) {
  const state = await loadProvidersState(searchParams);
  return (
    <Prefetch queries={[state.tab === "models" ? modelListQuery(state) : providerListQuery(state)]}>
      <ProvidersPage />
    </Prefetch>
  );
}

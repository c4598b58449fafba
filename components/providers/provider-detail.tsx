"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { lazyComponent } from "@/components/ui/lazy-component";
import { MonoId } from "@/components/ui/mono-id";
import { Skeleton } from "@/components/ui/skeleton";
import { usePageRouter } from "@/lib/browser/page-router";
import type { Provider } from "@/lib/records/providers/contract";
import { ConnectionCard } from "./connection-card";
import { DeleteProvider } from "./delete-provider";
import { DataPolicy, Health } from "./provider-facts";
import { healthQuery, providerQuery } from "./provider-queries";
import { ServedModels } from "./served-models";

const ProviderForm = lazyComponent(() => import("./provider-form").then((file) => file.ProviderForm), {
  loading: () => <Skeleton className="h-128 w-full max-w-2xl" />,
});

export function ProviderDetail({ slug }: { slug: string }) {
  const provider = useQuery(providerQuery(slug));
  if (!provider.data) {
    return (
      <>
        <PageHeader title={slug} />
        <DataState query={provider} subject="this provider" skeleton={<Skeleton className="h-96 w-full" />}>
          {() => null}
        </DataState>
      </>
    );
  }
  return <Shown provider={provider.data.data} />;
}

function Shown({ provider }: { provider: Provider }) {
  const router = usePageRouter();
  const health = useQuery(healthQuery);
  const [toDelete, setToDelete] = useState<Provider | null>(null);
  const { slug, name, base_url } = provider;
  return (
    <>
      <PageHeader
        title={name}
        badge={<DataPolicy {...provider} />}
        description={
          <span className="inline-flex flex-wrap items-center gap-x-3">
            <MonoId value={slug} name="provider slug" />
            <Health slug={slug} health={health.data?.data} />
          </span>
        }
        action={base_url !== null && <Button onClick={() => setToDelete(provider)}>Delete…</Button>}
      />
      <div className="grid gap-4">
        <ConnectionCard provider={provider} />
        <ServedModels provider={provider} />
        <Card id="settings" title="Settings">
          <ProviderForm provider={provider} />
        </Card>
      </div>
      <DeleteProvider
        provider={toDelete}
        onClose={() => setToDelete(null)}
        onDeleted={() => router.push("/providers")}
      />
    </>
  );
}

"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Plug } from "lucide-react";
import { AuditLink } from "@/components/audit/audit-link";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { Editable, May } from "@/components/session/may";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { lazyComponent } from "@/components/ui/lazy-component";
import { MonoId } from "@/components/ui/mono-id";
import { Skeleton } from "@/components/ui/skeleton";
import { usePageRouter } from "@/lib/browser/page-router";
import type { Provider } from "@/lib/records/providers/contract";
import { FailureAlert } from "@/components/form/failure-alert";
import { toFailure } from "@/lib/browser/api-failure";
import { ConnectionOutcome } from "./connection-outcome";
import { DeleteProvider } from "./delete-provider";
import { DataPolicy, Health } from "./provider-facts";
import { healthQuery, providerQuery, connectionQuery } from "./provider-queries";
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
  const { slug, name, base_url, audit_id } = provider;
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
        action={
          <>
            <AuditLink type="provider" id={audit_id} />
            <May permission="providers:write">
              {base_url !== null && <Button onClick={() => setToDelete(provider)}>Delete…</Button>}
            </May>
          </>
        }
      />
      <div className="grid gap-4">
        <ConnectionCard provider={provider} />
        <ServedModels provider={provider} />
        <Card id="settings" title="Settings">
          <Editable permission="providers:write">
            <ProviderForm provider={provider} />
          </Editable>
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

/** Last connection test. A test runs after saving and on demand. */
function ConnectionCard({ provider: { slug, name, base_url, last_test } }: { provider: Provider }) {
  const test = useQuery({ ...connectionQuery(slug), enabled: false });
  const button = (
    <May permission="providers:write">
      <Button onClick={() => void test.refetch()} disabled={test.isFetching}>
        <Plug aria-hidden /> {test.isFetching ? "Testing…" : "Test connection"}
      </Button>
    </May>
  );
  return (
    <Card id="connection" title="Connection" description={base_url ?? "Built in, runs on this server"} action={button}>
      <div aria-live="polite" className="min-h-12">
        {test.isFetching && (
          <p className="text-muted">
            Requesting the model list from <bdi>{name}</bdi>…
          </p>
        )}
        {!test.isFetching && test.error && <FailureAlert failure={toFailure(test.error)} />}
        {!test.isFetching && !test.error && last_test && <ConnectionOutcome {...last_test} />}
        {!test.isFetching && !test.error && !last_test && <p className="text-muted">Not tested yet.</p>}
      </div>
    </Card>
  );
}

"use client";
import { useQuery } from "@tanstack/react-query";
import { Server } from "lucide-react";
import { useState } from "react";
import Link from "next/link";
import { LIST_STATE } from "@/components/layout/list-state";
import { ResourceList, useListState } from "@/components/layout/resource-list";
import { EmptyState } from "@/components/ui/empty-state";
import type { Provider, ProviderHealth } from "@/lib/records/providers/contract";
import { May } from "@/components/session/may";
import type { Column } from "@/components/ui/data-table";
import { MenuItem, MenuSeparator } from "@/components/ui/menu";
import { RowMenu } from "@/components/ui/row-menu";
import { LastTest } from "./connection-outcome";
import { DeleteProvider } from "./delete-provider";
import { healthQuery, providerListQuery } from "./provider-queries";
import { DataPolicy, Health, hostOf, PROTOCOL_LABELS } from "./provider-facts";
import { count } from "@/lib/platform/count";

export function ProviderList() {
  const { state, list } = useListState(LIST_STATE);
  const providers = useQuery(providerListQuery(state));
  const health = useQuery({ ...healthQuery, enabled: providers.isSuccess });
  const [toDelete, setToDelete] = useState<Provider | null>(null);
  return (
    <>
      <ResourceList
        label="Providers"
        subject="providers"
        query={providers}
        list={list}
        columns={providerColumns(health.data?.data, setToDelete)}
        rowKey={({ slug }) => slug}
        searchCovers="Search covers names, slugs and base URLs."
        empty={
          <EmptyState icon={Server} title="No providers yet">
            A provider is an API that requests are routed to: a vendor&apos;s or your own.
          </EmptyState>
        }
      />
      <DeleteProvider provider={toDelete} onClose={() => setToDelete(null)} />
    </>
  );
}

const modelsOf = (slug: string) => `/providers?tab=models&provider=${encodeURIComponent(slug)}`;

const providerColumns = (
  health: readonly ProviderHealth[] | undefined,
  onDelete: (provider: Provider) => void,
): Column<Provider>[] => [
  {
    id: "name",
    header: "Name",
    sortKey: "name",
    className: "md:w-[24%]",
    cell: ({ name, slug }) => (
      <div className="grid gap-0.5 pr-8 md:pr-0">
        <Link href={`/providers/${slug}`} className="font-medium wrap-anywhere after:absolute after:inset-0">
          {name}
        </Link>
        <code className="font-mono text-[13px] text-muted">{slug}</code>
      </div>
    ),
  },
  {
    id: "base_url",
    header: "Base URL",
    cell: ({ base_url, protocol }) => (
      <div className="grid gap-0.5">
        <span className="break-all">{hostOf(base_url)}</span>
        {base_url !== null && <span className="text-[13px] text-muted">{PROTOCOL_LABELS[protocol]}</span>}
      </div>
    ),
  },
  { id: "data_policy", header: "Data policy", cell: (provider) => <DataPolicy {...provider} /> },
  {
    id: "api_key",
    header: "API key",
    cell: ({ has_api_key }) => (has_api_key ? "Stored" : <span className="text-muted">None</span>),
  },
  {
    id: "models",
    header: "Models",
    align: "right",
    cell: ({ slug, name, models_count }) => (
      <Link
        href={modelsOf(slug)}
        className="relative z-10 rounded-sm text-accent underline underline-offset-2 tabular-nums"
        aria-label={`${count(models_count, "model")} of ${name}`}
      >
        {models_count}
      </Link>
    ),
  },
  { id: "last_test", header: "Last test", cell: ({ last_test }) => <LastTest test={last_test} /> },
  { id: "health", header: "Health", cell: ({ slug }) => <Health slug={slug} health={health} /> },
  {
    id: "actions",
    header: "Actions",
    isControl: true,
    cell: (provider) => (
      <RowMenu name={provider.name}>
        <MenuItem asChild>
          <Link href={`/providers/${provider.slug}`}>Edit</Link>
        </MenuItem>
        <MenuItem asChild>
          <Link href={modelsOf(provider.slug)}>View models</Link>
        </MenuItem>
        {provider.base_url !== null && (
          <May permission="providers:write">
            <MenuSeparator />
            <MenuItem isDestructive onSelect={() => onDelete(provider)}>
              Delete…
            </MenuItem>
          </May>
        )}
      </RowMenu>
    ),
  },
];

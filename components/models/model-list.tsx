"use client";
import { useQuery } from "@tanstack/react-query";
import { Boxes } from "lucide-react";
import { ResourceList, useListState } from "@/components/layout/resource-list";
import { providerChoicesQuery, PROVIDERS_STATE } from "@/components/providers/provider-queries";
import { EmptyState } from "@/components/ui/empty-state";
import type { Column } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import { nameOfVendor } from "@/lib/records/models/vocabulary";
import type { Model } from "@/lib/records/models/contract";
import { modelListQuery } from "./model-queries";
import { ModelSheet } from "./model-sheet";
import { cheapest, priceText } from "./model-price";

export function ModelList() {
  const { state, setState, list } = useListState(PROVIDERS_STATE);
  const { provider, model } = state;
  const models = useQuery(modelListQuery(state));
  const { data: providers } = useQuery(providerChoicesQuery);
  const open = (slug: string | null) => void setState({ model: slug }, { history: "push" });
  const known = (providers?.data ?? []).map(({ slug, name }) => ({ value: slug, label: name }));
  const options =
    provider === null || known.some(({ value }) => value === provider)
      ? known
      : [...known, { value: provider, label: provider }];
  return (
    <>
      <ResourceList
        label="Models"
        subject="models"
        query={models}
        list={list}
        columns={modelColumns(open)}
        rowKey={({ slug }) => slug}
        searchCovers="Search covers slugs and names."
        filters={[{ key: "provider", label: "Provider", kind: "options", options }]}
        onOpen={({ slug }) => open(slug)}
        empty={
          <EmptyState icon={Boxes} title="No models yet">
            Import models from a provider, or add one manually.
          </EmptyState>
        }
      />
      {model !== null && <ModelSheet key={model} slug={model} onClose={() => open(null)} />}
    </>
  );
}

/** Shows the vendor, with its source as a tooltip. */
const vendorText = (vendor: string, source: Model["vendor_source"]) =>
  source === "unknown" ? (
    <span className="text-warning">Unknown</span>
  ) : (
    <span title={`Source: ${SOURCES[source]}`}>{nameOfVendor(vendor)}</span>
  );

const SOURCES = { catalogue: "catalogue", upstream: "the provider's list", admin: "set by an admin" } as const;

const modelColumns = (onOpen: (slug: string) => void): Column<Model>[] => [
  {
    id: "slug",
    header: "Model",
    sortKey: "slug",
    className: "md:w-[36%]",
    cell: ({ slug, name, retires_at, replacement }) => (
      <div className="grid justify-items-start gap-0.5">
        <button
          type="button"
          onClick={() => onOpen(slug)}
          className="text-left font-medium wrap-anywhere after:absolute after:inset-0"
        >
          {name}
        </button>
        {name !== slug && <code className="font-mono text-[13px] break-all text-muted">{slug}</code>}
        {retires_at !== null && (
          <span className="text-[13px] text-warning">
            Deprecated, retires {retires_at.slice(0, 10)}. Use {replacement}
          </span>
        )}
      </div>
    ),
  },
  {
    id: "vendor",
    header: "Vendor",
    sortKey: "vendor",
    cell: ({ vendor, vendor_source: source }) => vendorText(vendor, source),
  },
  {
    id: "context",
    header: "Context",
    align: "right",
    cell: ({ context_length }) => (
      <span className="tabular-nums">{context_length === null ? "Unknown" : context_length.toLocaleString("en")}</span>
    ),
  },
  {
    id: "price",
    header: "USD per million tokens",
    cell: (model) => {
      const endpoint = cheapest(model);
      return (
        <span className={endpoint?.price === null ? "text-warning" : "tabular-nums"}>
          {endpoint ? priceText(endpoint.price) : "–"}
        </span>
      );
    },
  },
  {
    id: "providers",
    header: "Providers",
    cell: ({ endpoints }) =>
      endpoints.length === 0 ? (
        <span className="text-danger">None, unavailable</span>
      ) : (
        <span className="wrap-anywhere">{[...new Set(endpoints.map(({ provider }) => provider))].join(", ")}</span>
      ),
  },
  {
    id: "created_at",
    header: "Added",
    sortKey: "created_at",
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
];

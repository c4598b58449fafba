"use client";
import { useQuery } from "@tanstack/react-query";
import { Server } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { DataState, isForbidden } from "@/components/layout/data-state";
import { FilterBar } from "@/components/layout/filter-bar";
import { LIST_STATE } from "@/components/layout/page-state";
import { Pager } from "@/components/layout/pager";
import { DataTable, DataTableSkeleton } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import type { Provider } from "@/lib/records/providers/contract";
import { DeleteProvider } from "./delete-provider";
import { providerColumns } from "./provider-columns";
import { healthQuery, providerListQuery } from "./provider-queries";

export function ProviderList() {
  const [state, setState] = useQueryStates(LIST_STATE);
  const providers = useQuery(providerListQuery(state));
  const health = useQuery({ ...healthQuery, enabled: providers.isSuccess });
  const [toDelete, setToDelete] = useState<Provider | null>(null);
  const columns = providerColumns(health.data?.data, setToDelete);
  const narrow = (q: string | null) => void setState({ q, offset: null });
  return (
    <>
      {!isForbidden(providers) && (
        <FilterBar
          search={{ label: "Search providers", value: state.q, onChange: narrow }}
          filters={[]}
          values={{}}
          onChange={() => undefined}
          onClear={() => narrow(null)}
        />
      )}
      <DataState query={providers} subject="providers" skeleton={<DataTableSkeleton columns={columns} />}>
        {({ data, total_count }) =>
          total_count === 0 ? (
            <EmptyState icon={Server} title={state.q ? "No results" : "No providers yet"}>
              {state.q
                ? "Search covers names, slugs and base URLs."
                : "A provider is an API that requests are routed to: a vendor's or your own."}
            </EmptyState>
          ) : (
            <>
              <DataTable
                label="Providers"
                columns={columns}
                rows={data}
                rowKey={({ slug }) => slug}
                sort={{ value: state.sort, onChange: (sort) => void setState({ sort, offset: null }) }}
              />
              <Pager total={total_count} shown={data.length} />
            </>
          )
        }
      </DataState>
      <DeleteProvider provider={toDelete} onClose={() => setToDelete(null)} />
    </>
  );
}

"use client";
import { useQuery } from "@tanstack/react-query";
import { Boxes } from "lucide-react";
import { useQueryStates } from "nuqs";
import { DataState, isForbidden } from "@/components/layout/data-state";
import { FilterBar } from "@/components/layout/filter-bar";
import { Pager } from "@/components/layout/pager";
import { providerChoicesQuery } from "@/components/providers/provider-queries";
import { PROVIDERS_STATE } from "@/components/providers/provider-state";
import { DataTable, DataTableSkeleton } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { modelColumns } from "./model-columns";
import { modelListQuery } from "./model-queries";
import { ModelSheet } from "./model-sheet";

export function ModelList() {
  const [state, setState] = useQueryStates(PROVIDERS_STATE);
  const { q, sort, provider, model } = state;
  const models = useQuery(modelListQuery(state));
  const { data: providers } = useQuery(providerChoicesQuery);
  const open = (slug: string | null) => void setState({ model: slug }, { history: "push" });
  const columns = modelColumns(open);
  const isNarrowed = q !== null || provider !== null;
  const known = (providers?.data ?? []).map(({ slug, name }) => ({ value: slug, label: name }));
  const options =
    provider === null || known.some(({ value }) => value === provider)
      ? known
      : [...known, { value: provider, label: provider }];
  return (
    <>
      {!isForbidden(models) && (
        <FilterBar
          search={{ label: "Search models", value: q, onChange: (next) => void setState({ q: next, offset: null }) }}
          filters={[{ key: "provider", label: "Provider", kind: "options", options }]}
          values={{ provider }}
          onChange={(_, value) => void setState({ provider: [value].flat()[0] ?? null, offset: null })}
          onClear={() => void setState({ q: null, provider: null, offset: null })}
        />
      )}
      <DataState query={models} subject="models" skeleton={<DataTableSkeleton columns={columns} />}>
        {({ data, total_count }) =>
          total_count === 0 ? (
            <EmptyState icon={Boxes} title={isNarrowed ? "No results" : "No models yet"}>
              {isNarrowed
                ? "Search covers slugs and names. Try clearing the filters."
                : "Import models from a provider, or add one manually."}
            </EmptyState>
          ) : (
            <>
              <DataTable
                label="Models"
                columns={columns}
                rows={data}
                rowKey={({ slug }) => slug}
                sort={{ value: sort, onChange: (next) => void setState({ sort: next, offset: null }) }}
                onOpen={({ slug }) => open(slug)}
              />
              <Pager total={total_count} shown={data.length} />
            </>
          )
        }
      </DataState>
      {model !== null && <ModelSheet key={model} slug={model} onClose={() => open(null)} />}
    </>
  );
}

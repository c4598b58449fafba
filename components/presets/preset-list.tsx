"use client";
import { useQuery } from "@tanstack/react-query";
import { Bookmark, Plus } from "lucide-react";
import { useQueryStates } from "nuqs";
import { parseAsArrayOf, parseAsString } from "nuqs/server";
import { DataState } from "@/components/layout/data-state";
import { FilterBar } from "@/components/layout/filter-bar";
import { NoResults } from "@/components/layout/no-results";
import { PageHeader } from "@/components/layout/page-header";
import { Pager } from "@/components/layout/pager";
import { useUser } from "@/components/session/user-context";
import { DataTable, DataTableSkeleton } from "@/components/ui/data-table";
import { hiddenAtFirst } from "@/components/ui/data-table-model";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { usePageRouter } from "@/lib/browser/page-router";
import { presetColumns } from "./preset-columns";
import { presetPath, withQuery } from "./preset-path";
import { presetListQuery } from "./preset-queries";
import { PRESET_LIST_STATE } from "./preset-state";

const STATE = { ...PRESET_LIST_STATE, hide: parseAsArrayOf(parseAsString) };
const UNFILTERED = { q: null, status: null, offset: null };
const STATUS_FILTER = {
  key: "status",
  label: "Status",
  kind: "options" as const,
  isMultiple: true as const,
  options: [
    { value: "active", label: "Active" },
    { value: "disabled", label: "Disabled" },
    { value: "archived", label: "Archived" },
  ],
};

export function PresetList() {
  const router = usePageRouter();
  const { isAdmin } = useUser();
  const [{ hide, ...state }, setState] = useQueryStates(STATE);
  const { workspace, q, sort, status } = state;
  const presets = useQuery(presetListQuery(state));
  const columns = presetColumns(workspace);
  const hidden = hide ?? hiddenAtFirst(columns);
  const isFiltered = q !== null || status !== null;
  const clear = () => void setState(UNFILTERED);
  const createLink = isAdmin && (
    <LinkButton variant="primary" href={withQuery("/presets/new", { workspace })}>
      <Plus aria-hidden /> New preset
    </LinkButton>
  );
  return (
    <>
      <PageHeader
        title="Presets"
        description="Named, versioned request settings, used in requests like a model."
        action={createLink}
      />
      <DataState query={presets} subject="presets" skeleton={<DataTableSkeleton columns={columns} />}>
        {({ data, total_count }) =>
          total_count === 0 && !isFiltered ? (
            <EmptyState icon={Bookmark} title="No presets yet" action={createLink} isHeaderAction>
              {isAdmin
                ? "Create a preset from a request body, then use it in requests as @preset/its-slug."
                : "Presets are created by admins and used in requests as @preset/its-slug."}
            </EmptyState>
          ) : (
            <>
              <FilterBar
                search={{
                  label: "Search presets",
                  value: q,
                  onChange: (text) => void setState({ q: text, offset: null }),
                }}
                filters={[STATUS_FILTER]}
                values={{ status }}
                onChange={(_, value) => void setState({ status: statusesOf(value), offset: null })}
                onClear={clear}
              />
              {total_count === 0 ? (
                <NoResults onClear={clear}>Search covers slugs, names and descriptions.</NoResults>
              ) : (
                <DataTable
                  label="Presets"
                  columns={columns}
                  rows={data}
                  rowKey={({ id }) => id}
                  sort={{
                    value: sort,
                    onChange: (value) =>
                      void setState({ sort: PRESET_LIST_STATE.sort.parse(value ?? ""), offset: null }),
                  }}
                  chooser={{ hidden, onChange: (ids) => void setState({ hide: ids }) }}
                  onOpen={({ slug }) => router.push(presetPath(slug, workspace))}
                />
              )}
              <Pager total={total_count} shown={data.length} />
            </>
          )
        }
      </DataState>
    </>
  );
}

const statusesOf = (value: readonly string[] | string | null) =>
  PRESET_LIST_STATE.status.parse([value ?? []].flat().join(","));

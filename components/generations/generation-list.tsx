"use client";
import { useQuery } from "@tanstack/react-query";
import { Activity, ChevronRight, ChevronsLeft } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { Button } from "@/components/ui/button";
import { DataTable, DataTableSkeleton } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { GENERATION_COLUMNS } from "./generation-columns";
import { generationListQuery } from "./generation-queries";
import { LookUpForm } from "./look-up-form";

export function GenerationList() {
  const [cursor, setCursor] = useQueryState("cursor", parseAsString.withOptions({ history: "push", scroll: true }));
  const generations = useQuery(generationListQuery(cursor));
  return (
    <>
      <PageHeader title="Generations" description="Every request to a model, newest first." action={<LookUpForm />} />
      <DataState query={generations} subject="the generations" skeleton={<DataTableSkeleton columns={GENERATION_COLUMNS} />}>
        {({ data, next_cursor }) =>
          data.length === 0 && cursor === null ? (
            <EmptyState icon={Activity} title="No generations yet">
              As soon as a request is sent through Signalbox, it appears here with its tokens, its cost and what was decided on it.
            </EmptyState>
          ) : (
            <>
              <DataTable label="Generations" columns={GENERATION_COLUMNS} rows={data} rowKey={({ id }) => id} />
              {(cursor !== null || next_cursor !== null) && (
                <nav aria-label="Pages" className="mt-3 flex justify-end gap-2">
                  <Button size="sm" disabled={cursor === null} onClick={() => void setCursor(null)}>
                    <ChevronsLeft aria-hidden /> Newest
                  </Button>
                  <Button size="sm" disabled={next_cursor === null} onClick={() => void setCursor(next_cursor)}>
                    Older <ChevronRight aria-hidden />
                  </Button>
                </nav>
              )}
            </>
          )
        }
      </DataState>
    </>
  );
}

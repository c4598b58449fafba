"use client";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useQueryStates } from "nuqs";
import { useMemo, useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { GenerationActions } from "./generation-actions";
import { GenerationOrigin, InspectionSkeleton } from "./generation-heading";
import { GenerationInspection } from "./generation-inspection";
import { FILTER_STATE, filterQuery, filtersOf } from "./generation-list-state";
import { generationQuery } from "./generation-queries";
import { GenerationStatus } from "./generation-status";
import { NeighbourButtons } from "./neighbour-buttons";

/** Full page of a generation. The filters in the URL determine the previous and next one. */
export function GenerationDetail({ id }: { id: string }) {
  const router = useRouter();
  const [state] = useQueryStates(FILTER_STATE);
  const [now] = useState(() => Date.now());
  const log = useMemo(() => ({ filters: filtersOf(state, now), sort: state.sort }), [state, now]);
  const query = filterQuery(state);
  const generation = useQuery({ ...generationQuery(id), select: ({ data }) => data });
  return (
    <>
      <PageHeader
        title={generation.data?.model ?? "Generation"}
        badge={generation.data && <GenerationStatus status={generation.data.status} />}
        description={<GenerationOrigin id={id} createdAt={generation.data?.created_at} />}
        action={
          generation.data && (
            <>
              <NeighbourButtons
                id={id}
                log={log}
                onMove={(next) => router.replace(`/generations/${next}${query && `?${query}`}`)}
              />
              <GenerationActions generation={generation.data} />
            </>
          )
        }
      />
      <DataState query={generation} subject="this generation" skeleton={<InspectionSkeleton />}>
        {(data) => <GenerationInspection generation={data} isWide />}
      </DataState>
    </>
  );
}

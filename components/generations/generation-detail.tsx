"use client";
import { useQuery } from "@tanstack/react-query";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { Alert } from "@/components/ui/alert";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { MonoId } from "@/components/ui/mono-id";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import type { Generation } from "@/lib/generations/contract";
import { AttemptsCard } from "./attempts-card";
import { ContentCard } from "./content-card";
import { DecisionsCard } from "./decisions-card";
import { GenerationFacts } from "./generation-facts";
import { generationQuery } from "./generation-queries";
import { GenerationStatus } from "./generation-status";

export function GenerationDetail({ id }: { id: string }) {
  const generation = useQuery(generationQuery(id));
  return (
    <>
      <PageHeader
        title={generation.data?.model ?? "Generation"}
        badge={generation.data && <GenerationStatus status={generation.data.status} />}
        description={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px]">
            <MonoId value={id} name="generation id" />
            {generation.data && <RelativeTime at={generation.data.created_at} />}
          </span>
        }
      />
      <DataState query={generation} subject="this generation" skeleton={<DetailSkeleton />}>
        {(data) => <Sections generation={data} />}
      </DataState>
    </>
  );
}

function Sections({ generation }: { generation: Generation }) {
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <div className="grid min-w-0 gap-4">
        {generation.error && <Alert kind="danger" title={generation.error.message}>{`Answered with status ${generation.error.status}`}</Alert>}
        <GenerationFacts generation={generation} />
        <DecisionsCard decisions={generation.decisions} />
        <AttemptsCard attempts={generation.attempts} />
      </div>
      <div className="grid min-w-0 gap-4">
        <ContentCard id={generation.id} />
        <Card id="json" title="As JSON">
          <CodeBlock label="Record" text={JSON.stringify(generation, null, 2)} />
        </Card>
      </div>
    </div>
  );
}

function DetailSkeleton() {
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <Skeleton className="h-80 rounded-lg" />
      <Skeleton className="h-80 rounded-lg" />
    </div>
  );
}

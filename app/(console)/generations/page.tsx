import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { requestTime } from "@/app/request-time";
import { GenerationList } from "@/components/generations/generation-list";
import { filtersOf, loadFilterState, loadViewState } from "@/components/generations/generation-list-state";
import {
  firstLogPageQuery,
  generationContentQuery,
  generationQuery,
} from "@/components/generations/generation-queries";

export const metadata: Metadata = { title: "Generations" };

export default async function GenerationsPage({ searchParams }: PageProps) {
  const [filters, { id }] = await Promise.all([loadFilterState(searchParams), loadViewState(searchParams)]);
  const opened = id === null ? [] : [generationQuery(id), generationContentQuery(id)];
  return (
    <Prefetch queries={[firstLogPageQuery(filtersOf(filters, requestTime())), ...opened]}>
      <GenerationList />
    </Prefetch>
  );
}

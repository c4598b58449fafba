import type { Metadata } from "next";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { requestTime } from "@/app/request-time";
import { chosenRecords, nameQuery } from "@/components/generations/filter-names";
import { GenerationList } from "@/components/generations/generation-list";
import {
  filtersOf,
  loadFilterState,
  loadViewState,
  rememberedRange,
} from "@/components/generations/generation-list-state";
import {
  firstLogPageQuery,
  generationContentQuery,
  generationQuery,
} from "@/components/generations/generation-queries";
import { LOG_RANGE_COOKIE } from "@/lib/browser/preferences";

export const metadata: Metadata = { title: "Generations" };

export default async function GenerationsPage({ searchParams }: PageProps) {
  const remembered = rememberedRange(await searchParams, (await cookies()).get(LOG_RANGE_COOKIE)?.value);
  if (remembered !== null) redirect(`/generations?${remembered}`);
  const [filters, { id }] = await Promise.all([loadFilterState(searchParams), loadViewState(searchParams)]);
  const openedAt = requestTime();
  const opened = id === null ? [] : [generationQuery(id), generationContentQuery(id)];
  const page = firstLogPageQuery({ filters: filtersOf(filters, openedAt), sort: filters.sort });
  return (
    <Prefetch queries={[page, ...opened, ...chosenRecords(filters, true).map(nameQuery)]}>
      <GenerationList openedAt={openedAt} />
    </Prefetch>
  );
}

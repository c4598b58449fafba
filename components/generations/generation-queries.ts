import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { PAGE_SIZE } from "@/components/layout/page-size";
import { call } from "@/lib/browser/api-client";
import { getGenerationContent } from "@/lib/generations/content-contract";
import { getGeneration, listGenerations } from "@/lib/generations/contract";

const generationKeys = {
  list: (cursor: string | null) => ["generations", "list", cursor],
  detail: (id: string) => ["generations", "detail", id],
  content: (id: string) => ["generations", "content", id],
} as const;

export const generationListQuery = (cursor: string | null) =>
  queryOptions({
    queryKey: generationKeys.list(cursor),
    queryFn: ({ signal }) => call(listGenerations, { query: { limit: PAGE_SIZE, ...(cursor && { cursor }) }, signal }),
    placeholderData: keepPreviousData,
  });

export const generationQuery = (id: string) =>
  queryOptions({
    queryKey: generationKeys.detail(id),
    queryFn: ({ signal }) => call(getGeneration, { query: { id }, signal }).then(({ data }) => data),
  });

export const generationContentQuery = (id: string) =>
  queryOptions({
    queryKey: generationKeys.content(id),
    queryFn: ({ signal }) => call(getGenerationContent, { query: { id }, signal }).then(({ data }) => data),
    staleTime: Infinity,
  });

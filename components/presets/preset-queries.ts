import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { PAGE_SIZE } from "@/components/layout/page-size";
import { call, type CallInput } from "@/lib/browser/api-client";
import { getPreset, getPresetVersion, listPresets, listPresetVersions, updatePreset, type Preset } from "@/lib/presets/contract";

const presetKeys = {
  all: ["presets"],
  list: (offset: number) => [...presetKeys.all, "list", offset],
  detail: (slug: string) => [...presetKeys.all, "detail", slug],
  versions: (slug: string, offset: number) => [...presetKeys.all, "versions", slug, offset],
  version: (slug: string, version: number) => [...presetKeys.all, "version", slug, version],
} as const;

export const presetListQuery = (offset: number) =>
  queryOptions({
    queryKey: presetKeys.list(offset),
    queryFn: ({ signal }) => call(listPresets, { query: { offset, limit: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });

export const presetQuery = (slug: string) =>
  queryOptions({
    queryKey: presetKeys.detail(slug),
    queryFn: ({ signal }) => call(getPreset, { params: { slug }, signal }).then(({ data }) => data),
  });

export const presetVersionsQuery = (slug: string, offset: number) =>
  queryOptions({
    queryKey: presetKeys.versions(slug, offset),
    queryFn: ({ signal }) => call(listPresetVersions, { params: { slug }, query: { offset, limit: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });

/** A version never changes. */
export const presetVersionQuery = (slug: string, version: number) =>
  queryOptions({
    queryKey: presetKeys.version(slug, version),
    queryFn: ({ signal }) => call(getPresetVersion, { params: { slug, version: String(version) }, signal }).then(({ data }) => data),
    staleTime: Infinity,
  });

export function useUpdatePreset({ slug, revision }: Pick<Preset, "slug" | "revision">) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CallInput<typeof updatePreset>["body"]) => call(updatePreset, { params: { slug }, body, ifMatch: revision }),
    onSuccess: ({ data }) => queryClient.setQueryData(presetQuery(slug).queryKey, data),
    onSettled: () => queryClient.invalidateQueries({ queryKey: presetKeys.all }),
  });
}

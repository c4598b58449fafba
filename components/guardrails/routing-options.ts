import { useQuery } from "@tanstack/react-query";
import type { PickerOption } from "@/components/ui/picker";
import { apiQuery } from "@/lib/browser/api-query";
import { listModels } from "@/lib/browser/operations/models";
import { listProviders } from "@/lib/browser/operations/providers";

const MOST_PROVIDERS = 100;

/** Known models, grouped by vendor. */
export function useModelOptions(): readonly PickerOption[] {
  const { data } = useQuery(apiQuery(listModels, {}));
  return data?.data.map(({ slug, vendor }) => ({ value: slug, group: vendor })) ?? [];
}

/** Known providers. */
export function useProviderOptions(): readonly PickerOption[] {
  const { data } = useQuery(apiQuery(listProviders, { query: { limit: MOST_PROVIDERS } }));
  return data?.data.map(({ slug }) => ({ value: slug })) ?? [];
}

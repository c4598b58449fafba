import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import type { FilterDefinition } from "./filter-definition";

type OptionsDefinition = Pick<Extract<FilterDefinition, { kind: "options" }>, "key" | "options" | "find">;

const MAX_SHOWN = 100;

/** The options that match the typed text, also those that the server finds. */
export function useFoundOptions({ key, options, find }: OptionsDefinition, text: string, isEnabled = true) {
  const q = useDeferredValue(text);
  const found = useQuery({
    queryKey: ["filter-options", key, q],
    queryFn: () => find?.(q) ?? [],
    enabled: isEnabled && find !== undefined,
    placeholderData: keepPreviousData,
  });
  const near = options.filter((option) => `${option.label} ${option.value}`.toLowerCase().includes(text.toLowerCase()));
  const far = (found.data ?? []).filter((option) => !options.some((known) => known.value === option.value));
  const matches = [...near, ...far];
  return {
    matches,
    shown: matches.slice(0, MAX_SHOWN),
    isSettled: find === undefined || (q === text && found.data !== undefined && !found.isPlaceholderData),
    isFetching: found.isFetching,
  };
}

import type { FilterDefinition } from "@/components/layout/filter-definition";
import { findTags } from "./find-tags";

/** Filter of a list by one tag. */
export const tagFilter = (chosen: string | null): FilterDefinition => ({
  key: "tag",
  label: "Tag",
  kind: "options",
  options: chosen === null ? [] : [{ value: chosen, label: chosen }],
  find: findTags,
});

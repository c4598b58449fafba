import { createLoader, parseAsArrayOf, parseAsInteger, parseAsString, type inferParserType } from "nuqs/server";
import { PAGE_SIZE } from "./page-size";

/** URL state of every list: workspace, page, order, search, and the IDs of hidden columns. */
export const LIST_STATE = {
  workspace: parseAsString,
  offset: parseAsInteger.withDefault(0),
  sort: parseAsString,
  q: parseAsString,
  hide: parseAsArrayOf(parseAsString),
};
export type ListState = inferParserType<typeof LIST_STATE>;
export type ListPage = Pick<ListState, "offset" | "sort" | "q">;

export const loadListState = createLoader(LIST_STATE);

/** API parameters for a list's page, order and search. An order outside `sorts` falls back to the default. */
export const pageOf = <const Field extends string>({ offset, sort, q }: ListPage, sorts: readonly Field[]) => ({
  offset,
  limit: PAGE_SIZE,
  sort: sorts.flatMap((field) => [field, `-${field}` as const]).find((known) => known === sort),
  ...(q?.trim() && { q: q.trim() }),
});

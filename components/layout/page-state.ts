import { createLoader, parseAsInteger, parseAsString } from "nuqs/server";

/** URL state of every searchable list: workspace, offset, sort and search. */
export const LIST_STATE = {
  workspace: parseAsString,
  offset: parseAsInteger.withDefault(0),
  sort: parseAsString,
  q: parseAsString,
};

export const loadListState = createLoader(LIST_STATE);

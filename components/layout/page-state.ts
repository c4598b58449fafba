import { createLoader, parseAsInteger, parseAsString } from "nuqs/server";

/** What every searchable list keeps in the URL: its workspace, its place, its order, its search. */
export const LIST_STATE = {
  workspace: parseAsString,
  offset: parseAsInteger.withDefault(0),
  sort: parseAsString,
  q: parseAsString,
};

export const loadListState = createLoader(LIST_STATE);

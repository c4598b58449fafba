import { createLoader, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { LIST_STATE } from "@/components/layout/page-state";

const TABS = ["providers", "models"] as const;

/** What the page keeps in the URL: which list, its place, and the model whose sheet is open. */
export const PROVIDERS_STATE = {
  ...LIST_STATE,
  tab: parseAsStringLiteral(TABS).withDefault("providers"),
  provider: parseAsString,
  model: parseAsString,
};

export const loadProvidersState = createLoader(PROVIDERS_STATE);

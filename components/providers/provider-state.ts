import { createLoader, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { LIST_STATE } from "@/components/layout/page-state";

const TABS = ["providers", "models"] as const;

/** URL state: tab, page offset, and the open model. */
export const PROVIDERS_STATE = {
  ...LIST_STATE,
  tab: parseAsStringLiteral(TABS).withDefault("providers"),
  provider: parseAsString,
  model: parseAsString,
};

export const loadProvidersState = createLoader(PROVIDERS_STATE);

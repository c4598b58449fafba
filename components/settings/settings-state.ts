import { createLoader, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { LIST_STATE } from "@/components/layout/page-state";

export const SETTINGS_TABS = [
  "organization",
  "workspaces",
  "logging",
  "limits",
  "webhooks",
  "exports",
  "code",
  "sessions",
] as const;

/** URL state: open tab, page offset, and the open workspace, webhook or export destination. */
export const SETTINGS_STATE = {
  ...LIST_STATE,
  tab: parseAsStringLiteral(SETTINGS_TABS).withDefault("organization"),
  edit: parseAsString,
  webhook: parseAsString,
  export: parseAsString,
};

export const loadSettingsState = createLoader(SETTINGS_STATE);

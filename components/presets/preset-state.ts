import { createLoader, parseAsArrayOf, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { LIST_STATE } from "@/components/layout/page-state";

const SORTS = ["name", "-name", "slug", "-slug", "updated_at", "-updated_at", "created_at", "-created_at"] as const;
const STATUSES = ["active", "disabled", "archived"] as const;

/** What the list of presets keeps in the URL. */
export const PRESET_LIST_STATE = {
  ...LIST_STATE,
  sort: parseAsStringLiteral(SORTS),
  status: parseAsArrayOf(parseAsStringLiteral(STATUSES)),
};

export const loadPresetListState = createLoader(PRESET_LIST_STATE);

export interface PresetListState {
  workspace: string | null;
  offset: number;
  sort: (typeof SORTS)[number] | null;
  q: string | null;
  status: readonly (typeof STATUSES)[number][] | null;
}

const PRESET_TABS = ["config", "versions", "guardrails", "use", "try"] as const;

/** What the page of a preset keeps in the URL: its view, the version looked at, and the two that are compared. */
export const PRESET_STATE = {
  workspace: parseAsString,
  tab: parseAsStringLiteral(PRESET_TABS).withDefault("config"),
  view: parseAsStringLiteral(["facts", "json"]).withDefault("facts"),
  version: parseAsInteger,
  before: parseAsInteger,
  after: parseAsInteger,
  offset: parseAsInteger.withDefault(0),
};

export const loadPresetState = createLoader(PRESET_STATE);

/** `from`: the preset that gets its next version; `from_generation`: whose model and system prompt the first version takes. */
export const NEW_PRESET_STATE = { workspace: parseAsString, from: parseAsString, from_generation: parseAsString };

export const loadNewPresetState = createLoader(NEW_PRESET_STATE);

import {
  createLoader,
  parseAsArrayOf,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
  type inferParserType,
} from "nuqs/server";
import { LIST_STATE } from "@/components/layout/list-state";

const STATUSES = ["active", "disabled", "archived"] as const;

/** URL state of the preset list. */
export const PRESET_LIST_STATE = {
  ...LIST_STATE,
  status: parseAsArrayOf(parseAsStringLiteral(STATUSES)),
};

export const loadPresetListState = createLoader(PRESET_LIST_STATE);

export type PresetListState = inferParserType<typeof PRESET_LIST_STATE>;

const PRESET_TABS = ["config", "versions", "guardrails", "use", "try"] as const;

/** URL state of a preset's page: tab, viewed version, and the two compared versions. */
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

/**
 * `from` is the preset to add a version to, and `version` the one to start from instead of the live one;
 * `from_generation` is the generation whose model and system prompt are copied.
 */
export const NEW_PRESET_STATE = {
  workspace: parseAsString,
  from: parseAsString,
  version: parseAsInteger,
  from_generation: parseAsString,
  editor: parseAsStringLiteral(["form", "json"]).withDefault("form"),
};

export const loadNewPresetState = createLoader(NEW_PRESET_STATE);

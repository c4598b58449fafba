import { createLoader, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { LIST_STATE } from "@/components/layout/list-state";
import { FIRING_STATES } from "@/lib/features/alerts/vocabulary";

/** Value of `alert` while a new rule is entered. */
export const NEW_ALERT = "new";

/** URL state: tab, filter and page of the history, and the open rule. */
export const ALERT_STATE = {
  ...LIST_STATE,
  tab: parseAsStringLiteral(["rules", "history"] as const).withDefault("rules"),
  state: parseAsStringLiteral(FIRING_STATES),
  alert: parseAsString,
};

export const loadAlertState = createLoader(ALERT_STATE);

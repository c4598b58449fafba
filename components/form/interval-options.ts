import { RESET_INTERVALS } from "@/lib/engine/vocabulary";

const LABELS = { daily: "Daily", weekly: "Weekly", monthly: "Monthly" } as const satisfies Record<
  (typeof RESET_INTERVALS)[number],
  string
>;

/** Reset intervals of a limit. */
export const INTERVAL_OPTIONS = RESET_INTERVALS.map((value) => ({ value, label: LABELS[value] }));

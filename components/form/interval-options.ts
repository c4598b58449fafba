import { RESET_INTERVALS } from "@/lib/records/guardrails/vocabulary";

const LABELS = { daily: "Every day", weekly: "Every week", monthly: "Every month" } as const satisfies Record<
  (typeof RESET_INTERVALS)[number],
  string
>;

/** When a limit starts anew. */
export const INTERVAL_OPTIONS = RESET_INTERVALS.map((value) => ({ value, label: LABELS[value] }));

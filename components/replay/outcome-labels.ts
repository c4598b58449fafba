import type { ReplayRow } from "@/lib/features/replay/contract";

export const OUTCOME_LABELS = {
  allowed: "Sent unchanged",
  redacted: "Sent redacted",
  flagged: "Sent and flagged",
  blocked: "Blocked",
  no_endpoint: "No endpoint available",
  budget_exhausted: "Budget exhausted",
} as const satisfies Record<ReplayRow["before"]["outcome"], string>;

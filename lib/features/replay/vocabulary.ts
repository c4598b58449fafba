/** What a replayed policy changes about a request: docs/semantics.md#replay. */
export const CHANGES = [
  "newly_blocked",
  "newly_redacted",
  "newly_flagged",
  "newly_allowed",
  "rerouted",
  "no_endpoint",
  "budget_exhausted",
] as const;
export type Change = (typeof CHANGES)[number];

/** Why a recorded request can't be judged by another policy. */
export const OBSTACLES = {
  facts_not_kept: "It was recorded before the facts of a decision were kept.",
  content_not_stored: "A filter that was not in force has to read the content, and none was stored.",
  content_expired: "A filter that was not in force has to read the content, and it was deleted.",
  redacted: "A filter that was not in force has to read text that was replaced by a label.",
  not_scanned: "The content filters did not finish when it was sent, so that nothing of it was kept.",
  filters_failed: "The content filters did not finish on what is stored.",
  policy_gone: "A guardrail that was in force is gone for good.",
  catalogue_gone: "The endpoints of that time are no longer kept.",
} as const;
export type Obstacle = keyof typeof OBSTACLES;

export const MAX_SELECTED = 10_000;
export const DEFAULT_SELECTED = 2_000;
export const MAX_ROWS = 500;
export const AS_OF = ["then", "now"] as const;

/** Changes of a request's result under a replayed policy: docs/replay.md. */
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

/** Reasons why a recorded request can't be evaluated under another policy. */
export const OBSTACLES = {
  facts_not_kept: "Recorded before policy facts were stored.",
  content_not_stored: "A new filter needs the content, which was not stored.",
  content_expired: "A new filter needs the content, which has been deleted.",
  content_not_permitted: "A new filter needs the content, which requires contents:read.",
  redacted: "A new filter needs text that was redacted or withheld.",
  not_scanned: "The content filters didn't finish when the request was sent, so its content was not stored.",
  filters_failed: "The content filters didn't finish on the stored content.",
  not_checked: "An external check was not called when the request was sent.",
  policy_gone: "A guardrail that was in force has been deleted permanently.",
  draft_not_stored: "An unsaved guardrail applied, which is not stored.",
  catalogue_gone: "The endpoints at that time are no longer stored.",
} as const;
export type Obstacle = keyof typeof OBSTACLES;

export const MAX_SELECTED = 10_000;
export const DEFAULT_SELECTED = 2_000;
export const MAX_ROWS = 500;
export const AS_OF = ["then", "now"] as const;

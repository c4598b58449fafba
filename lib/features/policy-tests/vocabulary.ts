/** Outcomes of a guardrail alone, without budgets. */
export const TEST_OUTCOMES = ["allowed", "redacted", "flagged", "blocked", "no_endpoint"] as const;

/** Maximum number of tests per guardrail: they run on every edit. */
export const MAX_TESTS = 100;

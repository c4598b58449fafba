/** What a guardrail alone can make of a request: nobody's budget is asked. */
export const TEST_OUTCOMES = ["allowed", "redacted", "flagged", "blocked", "no_endpoint"] as const;

/** Of one guardrail: they run on every edit. */
export const MAX_TESTS = 100;

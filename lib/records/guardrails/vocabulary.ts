export const GUARDRAIL_SORTS = ["name", "created_at", "updated_at", "limit_usd"] as const;

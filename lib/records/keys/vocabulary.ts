export const KEY_KINDS = ["inference", "management"] as const;
export const KEY_STATUSES = ["active", "disabled", "expired"] as const;
export const KEY_SORTS = ["name", "created_at", "expires_at", "usage", "range_spend"] as const;

export const MEMBER_STATUSES = ["active", "invited", "deactivated"] as const;
export const MEMBER_SORTS = ["name", "email", "role", "created_at", "range_spend"] as const;

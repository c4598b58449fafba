export const ROLES = [
  "org:owner",
  "org:admin",
  "org:policy_editor",
  "org:member",
  "org:analyst",
  "org:auditor",
  "org:billing",
] as const;
export const MEMBER_STATUSES = ["active", "invited", "deactivated"] as const;
export const MEMBER_SORTS = ["name", "email", "role", "created_at", "range_spend"] as const;

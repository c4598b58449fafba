export const KEY_KINDS = ["inference", "management"] as const;
export const KEY_STATUSES = ["active", "disabled", "expired"] as const;
/** A tag of a key: a name, or a name and a value. */
export const TAG = /^[\p{L}\p{N}_./-]{1,40}(:[\p{L}\p{N}_./-]{1,60})?$/u;
export const MAX_TAGS = 10;
export const KEY_SORTS = ["name", "created_at", "expires_at"] as const;

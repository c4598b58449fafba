export const EXCEPTION_KINDS = ["raise_limit", "lift_rule", "allow_phrase"] as const;
export const EXCEPTION_STATUSES = ["active", "expired", "ended"] as const;

/** Guardrail fields that can be lifted as a whole, and those in which a single filter can be lifted. */
export const LIFTABLE_FIELDS = [
  "allowed_models",
  "ignored_models",
  "allowed_providers",
  "ignored_providers",
  "allowed_data_regions",
  "enforce_zdr_vendor_a",
  "enforce_zdr_vendor_b",
  "enforce_zdr_vendor_c",
  "enforce_zdr_other",
] as const;
export const FILTER_FIELDS = ["content_filter_builtins", "content_filters"] as const;

export const MAX_EXCEPTION_DAYS = 90;
export const MAX_PHRASE = 500;
/** Maximum number of active exceptions per key or member. */
export const MAX_ACTIVE_EXCEPTIONS = 50;

export const PERSONAL_DATA_BUILTINS = [
  "email",
  "phone",
  "ssn",
  "credit-card",
  "ip-address",
  "person-name",
  "address",
] as const;
export const PROMPT_INJECTION_BUILTIN = "regex-prompt-injection";
export const SECRETS_BUILTIN = "secrets";
/** Built-in filters whose matches are masked in stored content. */
export const MASKED_BUILTINS = [SECRETS_BUILTIN, ...PERSONAL_DATA_BUILTINS] as const;
export const BUILTIN_SLUGS = [PROMPT_INJECTION_BUILTIN, ...MASKED_BUILTINS] as const;
export const FILTER_ACTIONS = ["block", "redact", "flag"] as const;
/** Texts of a request that a built-in filter scans, widest scope first; each scope includes the following ones. */
export const SCAN_SCOPES = ["all_messages", "untrusted", "user_only"] as const;
export type ScanScope = (typeof SCAN_SCOPES)[number];
/** Texts that a content filter, external check or judge applies to. */
export const FILTER_SCOPES = ["request", "response", "both"] as const;
/** The texts of one inference that a filter can scan. */
export const DIRECTIONS = ["request", "response"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** True when a filter or check applies to a direction: docs/content-filters.md#how-filters-act. */
export const scans = (scope: (typeof FILTER_SCOPES)[number] | undefined, direction: Direction): boolean =>
  scope === "both" || (scope ?? "request") === direction;

/** Default scan scope of a filter. An application's own instructions look like prompt injections. */
export const defaultScanScope = (slug: (typeof BUILTIN_SLUGS)[number]): ScanScope =>
  slug === PROMPT_INJECTION_BUILTIN ? "untrusted" : "all_messages";

/** True when a scan scope includes every text of another one. */
export const isAsWide = (scope: ScanScope, other: ScanScope): boolean =>
  SCAN_SCOPES.indexOf(scope) <= SCAN_SCOPES.indexOf(other);

export const MAX_CUSTOM_FILTERS = 100;
/** Personal data and secrets can be blocked or redacted, but not flagged: docs/content-filters.md#how-filters-act. */
export const acceptsAction = (slug: (typeof BUILTIN_SLUGS)[number], action: (typeof FILTER_ACTIONS)[number]): boolean =>
  action !== "flag" || slug === PROMPT_INJECTION_BUILTIN;

/** Display names of built-in filters. */
export const BUILTIN_NAMES = {
  "regex-prompt-injection": "Prompt injection",
  secrets: "Secrets",
  email: "Email addresses",
  phone: "Phone numbers",
  ssn: "US Social Security numbers",
  "credit-card": "Payment card numbers",
  "ip-address": "IP addresses",
  "person-name": "Names of people",
  address: "Postal addresses",
} as const satisfies Record<(typeof BUILTIN_SLUGS)[number], string>;

const isBuiltin = (rule: string): rule is keyof typeof BUILTIN_NAMES => Object.hasOwn(BUILTIN_NAMES, rule);

/** Display name of the rule behind a decision or exception; null for a field without named rules. */
export const ruleName = ({ field, rule }: { field: string | null; rule: string | null }): string | null =>
  field === "content_filter_builtins" && rule !== null && isBuiltin(rule) ? BUILTIN_NAMES[rule] : rule;

/** Labels that replace redacted spans, per builtin: docs/content-filters.md#redaction-labels. */
export const BUILTIN_LABELS = {
  "regex-prompt-injection": "[PROMPT_INJECTION]",
  secrets: "[SECRET]",
  email: "[EMAIL]",
  phone: "[PHONE]",
  ssn: "[SSN]",
  "credit-card": "[CREDIT_CARD]",
  "ip-address": "[IP_ADDRESS]",
  "person-name": "[PERSON_NAME]",
  address: "[ADDRESS]",
} as const satisfies Record<(typeof BUILTIN_SLUGS)[number], string>;

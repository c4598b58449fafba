import type { BuiltinFilter } from "@/lib/engine/filters/contract";
import {
  acceptsAction,
  BUILTIN_NAMES,
  defaultScanScope,
  FILTER_ACTIONS,
  FILTER_SCOPES,
  PERSONAL_DATA_BUILTINS,
  PROMPT_INJECTION_BUILTIN,
  SECRETS_BUILTIN,
  SCAN_SCOPES,
  type BUILTIN_SLUGS,
  type ScanScope,
} from "@/lib/engine/filters/vocabulary";

export type FilterAction = (typeof FILTER_ACTIONS)[number];
export type BuiltinSlug = (typeof BUILTIN_SLUGS)[number];
export type FilterScope = (typeof FILTER_SCOPES)[number];

const ACTION_LABELS = { block: "Block", redact: "Redact", flag: "Flag" } as const satisfies Record<
  FilterAction,
  string
>;

/** From mildest to strictest. */
export const ACTION_OPTIONS = FILTER_ACTIONS.toReversed().map((value) => ({ value, label: ACTION_LABELS[value] }));

/** Actions the API accepts for a built-in filter. */
export const actionsOf = (slug: BuiltinSlug) => ACTION_OPTIONS.filter(({ value }) => acceptsAction(slug, value));

const SCOPE_LABELS = {
  all_messages: "All messages",
  untrusted: "All but instructions",
  user_only: "User messages",
} as const satisfies Record<ScanScope, string>;
export const SCOPE_OPTIONS = SCAN_SCOPES.map((value) => ({ value, label: SCOPE_LABELS[value] }));

const DIRECTION_LABELS = { request: "Request", response: "Response", both: "Both" } as const satisfies Record<
  FilterScope,
  string
>;
export const DIRECTION_OPTIONS = FILTER_SCOPES.map((value) => ({ value, label: DIRECTION_LABELS[value] }));

/** Completes a filter's description; empty for the detector's default. */
export const scanScopeSuffix = ({ slug, scan_scope, scope }: BuiltinFilter) =>
  scan_scope === undefined || scope === "response" || scan_scope === defaultScanScope(slug)
    ? ""
    : `, ${SCOPE_LABELS[scan_scope].toLowerCase()}`;

/** Completes a filter's description; empty for requests, the default. */
export const scopeSuffix = (scope: FilterScope | undefined) =>
  scope === "response" ? ", in answers" : scope === "both" ? ", in requests and answers" : "";

interface BuiltinCopy {
  title: string;
  example: string;
  /** Detected by a statistical model instead of a pattern: slower and less exact. */
  isLanguageBased?: true;
}

export const BUILTIN_COPY: Readonly<Record<BuiltinSlug, BuiltinCopy>> = {
  "regex-prompt-injection": {
    title: BUILTIN_NAMES["regex-prompt-injection"],
    example: "ignore all previous instructions",
  },
  secrets: { title: BUILTIN_NAMES.secrets, example: "API keys, tokens, passwords and private keys" },
  email: { title: BUILTIN_NAMES.email, example: "ada@example.com" },
  phone: { title: BUILTIN_NAMES.phone, example: "+1 415 555 0132" },
  ssn: { title: BUILTIN_NAMES.ssn, example: "536-90-4399" },
  "credit-card": { title: BUILTIN_NAMES["credit-card"], example: "4242 4242 4242 4242" },
  "ip-address": { title: BUILTIN_NAMES["ip-address"], example: "203.0.113.7" },
  "person-name": { title: BUILTIN_NAMES["person-name"], example: "Ada Lovelace", isLanguageBased: true },
  address: { title: BUILTIN_NAMES.address, example: "12 Main Street, Springfield", isLanguageBased: true },
};

/** Filters of content other than personal data. */
export const OTHER_BUILTINS: readonly BuiltinSlug[] = [PROMPT_INJECTION_BUILTIN, SECRETS_BUILTIN];

/** Order of a guardrail's built-in filters. */
export const BUILTIN_ORDER: readonly BuiltinSlug[] = [...OTHER_BUILTINS, ...PERSONAL_DATA_BUILTINS];

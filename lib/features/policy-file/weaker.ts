import { stableStringify } from "./canonical";
import type { Change, FieldChange } from "./diff";

type Item = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly unknown[] | null => (Array.isArray(value) ? value : null);
const numberOf = (value: unknown): number => (typeof value === "number" ? value : Infinity);

/** Compares an allow list, where null allows everything. */
function allowsMore({ before, after }: FieldChange): boolean {
  const [old, next] = [listOf(before), listOf(after)];
  return old !== null && (next === null || next.some((one) => !old.includes(one)));
}

/** Compares a block list. */
const blocksLess = ({ before, after }: FieldChange): boolean =>
  (listOf(before) ?? []).some((one) => !(listOf(after) ?? []).includes(one));

/** Compares a list of filters, checks or judges. A removed or changed one may find less. */
function checksLess({ before, after }: FieldChange): boolean {
  const next = (listOf(after) ?? []).map(stableStringify);
  return (listOf(before) ?? []).some(
    (one) => !next.includes(stableStringify(one)) && !isStricter(one as Item, listOf(after) ?? []),
  );
}

const STRICTNESS = ["flag", "redact", "block"];

/** True if the filter remains with a stricter action. */
const isStricter = ({ action, ...filter }: Item, next: readonly unknown[]): boolean =>
  next.some((one) => {
    const { action: other, ...rest } = one as Item;
    return (
      stableStringify(rest) === stableStringify(filter) &&
      STRICTNESS.indexOf(String(other)) > STRICTNESS.indexOf(String(action))
    );
  });

const isTurnedOff = ({ before, after }: FieldChange): boolean => before === true && after !== true;
const isTurnedOn = ({ before, after }: FieldChange): boolean => before !== true && after === true;
const isRaised = ({ before, after }: FieldChange): boolean => numberOf(after) > numberOf(before);
const isRemoved = ({ before, after }: FieldChange): boolean => before !== null && after === null;

/** Reset periods of a limit, the longest first; a limit without one never resets. */
const PERIODS = ["monthly", "weekly", "daily"];
const resetsMoreOften = ({ before, after }: FieldChange): boolean =>
  PERIODS.indexOf(String(after)) > PERIODS.indexOf(String(before));
/** True for a limit where there was none. Its period reduces nothing. */
const isNewLimit = ({ field, before, after }: FieldChange): boolean =>
  (field === "limit" || field === "limit_usd") && numberOf(before) === Infinity && numberOf(after) < Infinity;

type Weakens = (change: FieldChange) => boolean;

const GUARDRAIL: Readonly<Record<string, Weakens>> = {
  mode: ({ after }) => after === "observe",
  allowed_models: allowsMore,
  allowed_providers: allowsMore,
  allowed_data_regions: allowsMore,
  ignored_models: blocksLess,
  ignored_providers: blocksLess,
  content_filter_builtins: checksLess,
  content_filters: checksLess,
  external_checks: checksLess,
  judges: checksLess,
  limit_usd: isRaised,
  reset_interval: resetsMoreOften,
  include_byok_in_budgets: isTurnedOff,
  tests_required: isTurnedOff,
};

/** ZDR and training: policy relies on a provider's or endpoint's claims. */
const PROVIDER: Readonly<Record<string, Weakens>> = { zdr: isTurnedOn, trains: isTurnedOff };
const KEY: Readonly<Record<string, Weakens>> = {
  guardrail: isRemoved,
  limit: isRaised,
  limit_reset: resetsMoreOften,
  include_byok_in_limit: isTurnedOff,
};
const ASSIGNMENT: Readonly<Record<string, Weakens>> = { guardrail: isRemoved };

const RULES: Readonly<Partial<Record<Change["kind"], Readonly<Record<string, Weakens>>>>> = {
  guardrail: GUARDRAIL,
  provider: PROVIDER,
  key: KEY,
  member: ASSIGNMENT,
  default_guardrail: ASSIGNMENT,
  workspace: { regions: allowsMore, allow_unpriced_models: isTurnedOn },
  model: { endpoints: claimsZdr },
};

/** True if an endpoint newly claims to retain nothing. */
function claimsZdr({ before, after }: FieldChange): boolean {
  const claimed = (value: unknown) =>
    new Set(
      (listOf(value) ?? []).flatMap((one) =>
        (one as Item)["zdr"] === true ? [String((one as Item)["provider"])] : [],
      ),
    );
  const old = claimed(before);
  return [...claimed(after)].some((provider) => !old.has(provider));
}

/** A change that reduces protection, with the fields that reduce it. */
export interface Weaker extends Pick<Change, "kind" | "workspace" | "name" | "copy" | "action"> {
  /** Empty for a deleted guardrail. */
  fields: string[];
}

/**
 * Returns the changes that reduce protection: a guardrail or an assignment is removed, or a rule or limit is loosened.
 */
export const weakerChanges = (changes: readonly Change[]): Weaker[] =>
  changes.flatMap(({ fields, ...change }): Weaker[] => {
    if (change.action === "create") return [];
    if (change.action === "delete") return change.kind === "guardrail" ? [{ ...change, fields: [] }] : [];
    const rules = RULES[change.kind] ?? {};
    const isZdr = (field: string) => change.kind === "guardrail" && field.startsWith("enforce_zdr");
    const hasNewLimit = fields.some(isNewLimit);
    const weakens = (one: FieldChange): boolean => {
      const rule = isZdr(one.field) ? isTurnedOff : rules[one.field];
      return rule !== undefined && !(hasNewLimit && rule === resetsMoreOften) && rule(one);
    };
    const weaker = fields.filter(weakens);
    return weaker.length > 0 ? [{ ...change, fields: weaker.map(({ field }) => field) }] : [];
  });

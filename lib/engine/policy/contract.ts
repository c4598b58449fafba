import { z } from "zod";
import { Uuid } from "../../platform/http/operation";
import { ExternalChecks, ExternalCheckSettings, Judge, Judges } from "../checks/contract";
import { Decision } from "../decision/contract";
import { BuiltinFilter, CustomFilter } from "../filters/contract";
import { BUILTIN_SLUGS, MAX_CUSTOM_FILTERS } from "../filters/vocabulary";
import { DATA_REGIONS, RESET_INTERVALS } from "../vocabulary";
import { GUARDRAIL_MODES, isNameOrWildcard, NAME_RULE } from "./vocabulary";

/** `enforce_zdr_<vendor slug>`: the alias of a vendor switch, named after the configured vendor. */
export const ZDR_VENDOR_FIELD = /^enforce_zdr_[a-z0-9][a-z0-9-]*$/;

const listOf = <T extends z.ZodType>(entry: T) => z.array(entry).max(1000).nullable();
const slugList = listOf(z.string().trim().min(1).max(200).refine(isNameOrWildcard, NAME_RULE));

const uniqueSlugs = (filters: readonly BuiltinFilter[] | null) =>
  !filters || new Set(filters.map(({ slug }) => slug)).size === filters.length;

/** The fields that an admin sets: docs/semantics.md#guardrails. */
export const GuardrailFields = z.object({
  name: z.string().trim().min(1).max(200),
  description: z.string().max(1000).nullable(),
  mode: z.enum(GUARDRAIL_MODES).meta({
    description: "observe: rules change nothing, the log records what they would have done",
    default: "enforce",
  }),
  allowed_models: slugList,
  ignored_models: slugList,
  allowed_providers: slugList,
  ignored_providers: slugList,
  allowed_data_regions: listOf(z.enum(DATA_REGIONS)).meta({
    description: "Only endpoints with one of these data regions; null or empty: any",
  }),
  limit_usd: z
    .number()
    .min(0)
    .max(1_000_000_000)
    .multipleOf(0.000001)
    .nullable()
    .meta({ description: "Spending limit in USD" }),
  reset_interval: z.enum(RESET_INTERVALS).nullable(),
  include_byok_in_budgets: z.boolean(),
  enforce_zdr: z.boolean().nullable().meta({ deprecated: true }),
  enforce_zdr_vendor_a: z.boolean().nullable(),
  enforce_zdr_vendor_b: z.boolean().nullable(),
  enforce_zdr_vendor_c: z.boolean().nullable(),
  enforce_zdr_other: z.boolean().nullable(),
  content_filter_builtins: z
    .array(BuiltinFilter)
    .max(BUILTIN_SLUGS.length)
    .refine(uniqueSlugs, "at most one entry per slug")
    .nullable(),
  content_filters: z.array(CustomFilter).max(MAX_CUSTOM_FILTERS).nullable(),
  judges: Judges.meta({
    description: "Models of the organization that judge requests and answers: docs/external-checks.md#model-judges",
  }),
  external_checks: ExternalChecks.meta({
    description: "HTTP endpoints that judge requests and answers: docs/external-checks.md",
  }),
});

export type GuardrailFields = z.output<typeof GuardrailFields>;
export type GuardrailField = keyof GuardrailFields;
/** The settable fields, in the order of the reference. */
export const GUARDRAIL_FIELDS = GuardrailFields.keyof().options;

type Unrestricted = {
  [Field in Exclude<GuardrailField, "name" | "mode">]: null extends GuardrailFields[Field] ? null : false;
} & { mode: "enforce" };
const { name: _, mode: __, ...restrictions } = GuardrailFields.shape;
/** Defaults of every field except the name, for a guardrail without restrictions. */
export const UNRESTRICTED_FIELDS = {
  mode: "enforce",
  ...Object.fromEntries(
    Object.entries(restrictions).map(([field, schema]) => [field, schema.safeParse(null).success ? null : false]),
  ),
} as Unrestricted;

/** The guardrail that sets a rule, or the request itself. */
export const Source = z
  .object({
    scope: Decision.shape.scope,
    guardrail_id: Uuid.nullable().meta({
      description: "null: the request itself, a key's own limit, or an unsaved draft",
    }),
    guardrail_name: z.string().nullable(),
    revision: z.number().int().nullable(),
  })
  .meta({ id: "PolicySource" });
export type Source = z.output<typeof Source>;

const resulting = <T extends z.ZodType>(value: T) => z.object({ value, sources: z.array(Source) });
const sources = { sources: z.array(Source) };
const allowed = resulting(z.array(z.string()).nullable()).meta({
  description: "Names allowed by every list; null when unrestricted, empty when nothing is allowed",
});
const ignored = resulting(z.array(z.string()));
const enforced = resulting(z.boolean());

/** The fields of all layers as one, without their budgets. */
export const EffectiveFields = z.object({
  allowed_models: allowed,
  ignored_models: ignored,
  allowed_providers: allowed,
  ignored_providers: ignored,
  allowed_data_regions: allowed,
  enforce_zdr_vendor_a: enforced,
  enforce_zdr_vendor_b: enforced,
  enforce_zdr_vendor_c: enforced,
  enforce_zdr_other: enforced,
  content_filter_builtins: z.array(BuiltinFilter.safeExtend({ ...sources })),
  content_filters: z.array(CustomFilter.extend({ ...sources })),
  external_checks: z.array(ExternalCheckSettings.extend({ ...sources })),
  judges: z.array(Judge.extend({ ...sources })),
});
export type EffectiveFields = z.output<typeof EffectiveFields>;

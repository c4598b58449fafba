import { z } from "zod";
import { Decision } from "../../records/generations/contract";
import { PROTOCOLS } from "../../records/generations/vocabulary";
import { Exception } from "../exceptions/contract";
import { BuiltinFilter, CustomFilter, GuardrailDraft, GuardrailFields } from "../../records/guardrails/contract";
import { envelope, operation, Timestamp, Uuid } from "../../platform/http/operation";

export const MAX_DRAFTS = 10;

const Scope = Decision.shape.scope;

export const Source = z
  .object({
    scope: Scope,
    guardrail_id: Uuid.nullable().meta({
      description: "null: the request itself, a key's own limit, or a draft that was never stored",
    }),
    guardrail_name: z.string().nullable(),
    revision: z.number().int().nullable(),
  })
  .meta({ id: "PolicySource" });

/** Whose policy: a key's, or a member's in a workspace. */
const subject = {
  key_hash: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: "An inference key; the member who created it counts, too" }),
  user_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: "A member; with key_hash, as if this member had made the key" }),
  workspace_id: Uuid.optional().meta({ description: "With user_id, or alone; the default workspace when omitted" }),
};

export const CheckPolicyBody = z.strictObject({
  request: z.record(z.string(), z.unknown()).meta({ description: "The body of an inference request" }),
  protocol: z.enum(PROTOCOLS).default("responses"),
  ...subject,
  guardrails: z
    .array(z.union([z.strictObject({ id: Uuid }), GuardrailDraft]))
    .max(MAX_DRAFTS)
    .optional()
    .meta({
      description: "Guardrails to try out besides those in force: fields of a draft, or the id of a stored one",
    }),
  drafts_only: z.boolean().optional().meta({ description: "true leaves out the guardrails in force" }),
});
export type CheckPolicyBody = z.output<typeof CheckPolicyBody>;

export const PolicyCheck = z
  .object({
    outcome: z.enum(["allowed", "redacted", "flagged", "blocked", "no_endpoint", "budget_exhausted"]),
    message: z
      .string()
      .nullable()
      .meta({ description: "What the caller of the request would read; null when it would be sent" }),
    decisions: z.array(Decision),
    candidates: z
      .array(
        z.object({
          model: z.string(),
          provider: z.string(),
          included: z.boolean(),
          excluded_by: z.array(z.object({ scope: Scope, guardrail_id: Uuid.nullable(), field: z.string() })),
        }),
      )
      .meta({
        description:
          "Every endpoint of the models asked for: those included in the order in which they would be tried, then the others",
      }),
    request: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "What the first candidate would be sent; null when nothing would be" }),
  })
  .meta({ id: "PolicyCheck" });
export type PolicyCheck = z.output<typeof PolicyCheck>;

const resulting = <T extends z.ZodType>(value: T) => z.object({ value, sources: z.array(Source) });
const sources = { sources: z.array(Source) };
const allowed = resulting(z.array(z.string()).nullable()).meta({
  description: "What every list allows; null restricts nothing, an empty list allows nothing",
});
const ignored = resulting(z.array(z.string()));
const enforced = resulting(z.boolean());

export const EffectiveBudget = z.object({
  ...Source.shape,
  counted_per: z.enum(["key", "member"]),
  limit_usd: z.number().meta({ description: "With what exceptions raise it by" }),
  raised_usd: z.number().meta({ description: "What exceptions raise the limit by" }),
  reset_interval: GuardrailFields.shape.reset_interval,
  include_byok_in_budgets: z.boolean(),
  spent_usd: z.number().meta({ description: "USD since window_start" }),
  reserved_usd: z.number().meta({ description: "USD that running requests may still cost" }),
  remaining_usd: z.number().min(0),
  window_start: Timestamp.nullable().meta({ description: "null: the limit never starts anew" }),
  resets_at: Timestamp.nullable(),
});
export type EffectiveBudget = z.output<typeof EffectiveBudget>;

export const EffectivePolicy = z
  .object({
    workspace_id: Uuid,
    key_hash: z.string().nullable(),
    user_id: z.string().nullable(),
    layers: z.array(Source).meta({ description: "Widest first; all apply together" }),
    exceptions: z.array(Exception).meta({ description: "That hold now; what they lift is in none of the fields" }),
    fields: z.object({
      allowed_models: allowed,
      ignored_models: ignored,
      allowed_providers: allowed,
      ignored_providers: ignored,
      enforce_zdr_vendor_a: enforced,
      enforce_zdr_vendor_b: enforced,
      enforce_zdr_vendor_c: enforced,
      enforce_zdr_other: enforced,
      content_filter_builtins: z.array(BuiltinFilter.safeExtend({ ...sources })),
      content_filters: z.array(CustomFilter.extend({ ...sources })),
      limit_usd: z.array(EffectiveBudget).meta({ description: "Every budget is checked on its own" }),
    }),
  })
  .meta({ id: "EffectivePolicy" });
export type EffectivePolicy = z.output<typeof EffectivePolicy>;

const management = {
  tag: "Policy",
  access: "management",
  status: 200,
  errors: [404],
} as const;

export const checkPolicy = operation({
  ...management,
  id: "checkPolicy",
  method: "POST",
  path: "/policy/check",
  summary: "What would happen to a request: nothing is sent, spent or recorded",
  body: CheckPolicyBody,
  inspected: true,
  result: envelope(PolicyCheck),
  example: {
    body: {
      request: { model: "sandbox/echo", input: "Write to ada@example.com" },
      guardrails: [{ content_filter_builtins: [{ slug: "email", action: "redact" }] }],
    },
  },
});

export const getEffectivePolicy = operation({
  ...management,
  id: "getEffectivePolicy",
  method: "GET",
  path: "/policy/effective",
  summary: "The policy that a key or a member is under, and which guardrail each part of it comes from",
  query: z.object(subject),
  result: envelope(EffectivePolicy),
});

import { z } from "zod";
import { GuardrailFields } from "../../engine/policy/contract";
import { Deleted, envelope, IdParams, Instant, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { page, PageQuery } from "../../platform/http/pagination";
import {
  EXCEPTION_KINDS,
  EXCEPTION_STATUSES,
  FILTER_FIELDS,
  LIFTABLE_FIELDS,
  MAX_EXCEPTION_DAYS,
  MAX_PHRASE,
} from "./vocabulary";

const text = z.string().nullable();
const Field = z.enum([...LIFTABLE_FIELDS, ...FILTER_FIELDS]);
const Rule = z.string().min(1).max(10_000);

export const Exception = z
  .object({
    id: Uuid,
    kind: z.enum(EXCEPTION_KINDS),
    status: z.enum(EXCEPTION_STATUSES),
    key_hash: text.meta({ description: "The key this exception is for; or see user_id" }),
    key_name: text,
    user_id: text.meta({ description: "The member this exception is for; covers every key they created" }),
    user_name: text,
    guardrail_id: Uuid.nullable().meta({
      description: "null for a key's own limit, or a phrase, which applies to every content filter",
    }),
    guardrail_name: text,
    field: Field.nullable().meta({ description: "lift_rule: the field to lift" }),
    rule: text.meta({ description: "lift_rule on a content filter: its slug or pattern" }),
    raise_usd: z.number().nullable().meta({ description: "raise_limit: amount added to the limit, in USD" }),
    phrase: text.meta({ description: "allow_phrase: content filters ignore matches entirely inside this text" }),
    reason: z.string(),
    created_by: text.meta({ description: "The member who granted the exception" }),
    created_by_name: text,
    created_at: Timestamp,
    expires_at: Timestamp,
    ended_at: Timestamp.nullable().meta({ description: "When the exception was ended early" }),
  })
  .meta({ id: "Exception" });
export type Exception = z.output<typeof Exception>;

const granted = {
  key_hash: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: "An inference key; required unless user_id is given" }),
  user_id: z.string().min(1).max(200).optional(),
  reason: z.string().trim().min(1).max(500),
  expires_at: Instant.meta({ description: `At most ${MAX_EXCEPTION_DAYS} days from now` }),
};

export const CreateExceptionBody = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("raise_limit"),
    ...granted,
    guardrail_id: Uuid.optional().meta({
      description: "The guardrail whose limit is raised; defaults to the key's own limit",
    }),
    raise_usd: GuardrailFields.shape.limit_usd
      .unwrap()
      .refine((usd) => usd > 0, "must be more than 0")
      .meta({ description: "Amount to add, in USD" }),
  }),
  z.strictObject({
    kind: z.literal("lift_rule"),
    ...granted,
    guardrail_id: Uuid,
    field: Field,
    rule: Rule.optional().meta({
      description: "For a content filter: its slug, or its pattern exactly as in the guardrail",
    }),
  }),
  z.strictObject({
    kind: z.literal("allow_phrase"),
    ...granted,
    phrase: z
      .string()
      .min(1)
      .max(MAX_PHRASE)
      .refine((phrase) => phrase.trim() !== "", "must not be blank")
      .meta({ description: "Exact text, not a pattern" }),
  }),
]);
export type CreateExceptionBody = z.output<typeof CreateExceptionBody>;

export const listExceptions = operation({
  tag: "Exceptions",
  access: "member",
  id: "listExceptions",
  permission: "guardrails:read",
  method: "GET",
  path: "/exceptions",
  summary: "List exceptions, newest first; members see only their own and those of their keys",
  query: PageQuery.extend({
    key_hash: z.string().min(1).max(200).optional(),
    user_id: z.string().min(1).max(200).optional(),
    guardrail_id: Uuid.optional(),
    active: z.enum(["true", "false"]).optional().meta({ description: "Filter by active or ended exceptions" }),
  }),
  status: 200,
  result: page(Exception),
});

export const createException = operation({
  tag: "Exceptions",
  access: "management",
  id: "createException",
  permission: "guardrails:write",
  method: "POST",
  path: "/exceptions",
  summary: "Grant a temporary exception to one key or member",
  body: CreateExceptionBody,
  status: 201,
  result: envelope(Exception),
  errors: [404],
  idempotent: true,
  example: {
    body: {
      kind: "allow_phrase",
      key_hash: "f01d52606dc8f0a8303a7b5cc3fa07109c2e346cec7c0a16b40de462992ce943",
      phrase: "support@example.com",
      reason: "The public address is in every template",
      expires_at: "2027-01-15T12:00:00.000Z",
    },
  },
});

export const getException = operation({
  tag: "Exceptions",
  access: "member",
  id: "getException",
  permission: "guardrails:read",
  method: "GET",
  path: "/exceptions/{id}",
  summary: "Get an exception",
  params: IdParams,
  status: 200,
  result: envelope(Exception),
});

export const endException = operation({
  tag: "Exceptions",
  access: "management",
  id: "endException",
  permission: "guardrails:write",
  method: "DELETE",
  path: "/exceptions/{id}",
  summary: "End an exception early; its record is kept",
  params: IdParams,
  status: 200,
  result: Deleted,
});

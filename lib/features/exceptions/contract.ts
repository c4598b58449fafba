import { z } from "zod";
import { GuardrailFields } from "../../records/guardrails/contract";
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
    key_hash: text.meta({ description: "Whose: this key's, or the member's" }),
    key_name: text,
    user_id: text.meta({ description: "Of every key that this member created" }),
    user_name: text,
    guardrail_id: Uuid.nullable().meta({
      description: "null: the key's own limit, or a phrase, which every content filter heeds",
    }),
    guardrail_name: text,
    field: Field.nullable().meta({ description: "lift_rule: the field that doesn't hold" }),
    rule: text.meta({ description: "lift_rule of a content filter: its slug, or its pattern" }),
    raise_usd: z.number().nullable().meta({ description: "raise_limit: how much the limit is higher, USD" }),
    phrase: text.meta({ description: "allow_phrase: content filters don't count what lies wholly inside this text" }),
    reason: z.string(),
    created_by: text.meta({ description: "The member who granted it" }),
    created_by_name: text,
    created_at: Timestamp,
    expires_at: Timestamp,
    ended_at: Timestamp.nullable().meta({ description: "When it was ended before its time" }),
  })
  .meta({ id: "Exception" });
export type Exception = z.output<typeof Exception>;

const granted = {
  key_hash: z.string().min(1).max(200).optional().meta({ description: "An inference key; or user_id" }),
  user_id: z.string().min(1).max(200).optional(),
  reason: z.string().trim().min(1).max(500),
  expires_at: Instant.meta({ description: `At most ${MAX_EXCEPTION_DAYS} days from now` }),
};

export const CreateExceptionBody = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("raise_limit"),
    ...granted,
    guardrail_id: Uuid.optional().meta({ description: "Whose limit; the key's own when omitted" }),
    raise_usd: GuardrailFields.shape.limit_usd
      .unwrap()
      .refine((usd) => usd > 0, "must be more than 0")
      .meta({ description: "How much higher, USD" }),
  }),
  z.strictObject({
    kind: z.literal("lift_rule"),
    ...granted,
    guardrail_id: Uuid,
    field: Field,
    rule: Rule.optional().meta({
      description: "Of a content filter: its slug, or its pattern as it stands in the guardrail",
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
      .meta({ description: "The exact text, no pattern" }),
  }),
]);
export type CreateExceptionBody = z.output<typeof CreateExceptionBody>;

export const listExceptions = operation({
  tag: "Exceptions",
  access: "member",
  id: "listExceptions",
  method: "GET",
  path: "/exceptions",
  summary: "List exceptions, newest first; a member sees their own and those of their keys",
  query: PageQuery.extend({
    key_hash: z.string().min(1).max(200).optional(),
    user_id: z.string().min(1).max(200).optional(),
    guardrail_id: Uuid.optional(),
    active: z
      .enum(["true", "false"])
      .optional()
      .meta({ description: "Only those that hold now, or only those that don't any more" }),
  }),
  status: 200,
  result: page(Exception),
});

export const createException = operation({
  tag: "Exceptions",
  access: "management",
  id: "createException",
  method: "POST",
  path: "/exceptions",
  summary: "Let one key or one member do until a time what a guardrail forbids",
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
  method: "DELETE",
  path: "/exceptions/{id}",
  summary: "End an exception early; its record stays",
  params: IdParams,
  status: 200,
  result: Deleted,
});

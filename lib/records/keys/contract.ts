import { z } from "zod";
import { GuardrailFields } from "../guardrails/contract";
import { Deleted, envelope, Instant, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { listQuery, page } from "../../platform/http/pagination";
import { KEY_KINDS, KEY_SORTS, KEY_STATUSES } from "./vocabulary";

const MAX_GRACE_SECONDS = 30 * 24 * 60 * 60;

const KeyHash = z.string().regex(/^[0-9a-f]{64}$/);
const usd = z.number().min(0);

/** The fields that an admin sets: docs/semantics.md#keys. */
const KeyFields = z.object({
  name: z.string().trim().min(1).max(200),
  disabled: z.boolean(),
  limit: GuardrailFields.shape.limit_usd,
  limit_reset: GuardrailFields.shape.reset_interval.meta({ description: "When the limit resets; null for never" }),
  include_byok_in_limit: z.boolean(),
  expires_at: Instant.nullable(),
});

const KeyUsage = z.object({
  usage: usd.meta({ description: "USD spent since the key exists, own provider keys apart" }),
  usage_daily: usd,
  usage_weekly: usd,
  usage_monthly: usd,
  byok_usage: usd.meta({ description: "USD spent over your own provider keys" }),
  byok_usage_daily: usd,
  byok_usage_weekly: usd,
  byok_usage_monthly: usd,
});
export type KeyUsage = z.output<typeof KeyUsage>;

export const Key = z
  .object({
    id: Uuid.meta({ description: "The key's identity; a rotation changes its hash, never this" }),
    hash: KeyHash,
    label: z.string(),
    kind: z.enum(KEY_KINDS),
    ...KeyFields.shape,
    limit_remaining: usd.nullable().meta({ description: "With what exceptions raise the limit by, while they hold" }),
    ...KeyUsage.shape,
    workspace_id: Uuid,
    creator_user_id: z.string().nullable(),
    creator_name: z
      .string()
      .nullable()
      .meta({ description: "Name of the member the key belongs to, else their e-mail address" }),
    external_user: z.string().nullable(),
    guardrail_id: Uuid.nullable().meta({ description: "The guardrail assigned to the key itself" }),
    guardrail_name: z.string().nullable(),
    last_used_at: Timestamp.nullable(),
    requests_last_day: z.number().int().min(0).meta({ description: "Requests in the last 24 hours" }),
    old_text_expires_at: Timestamp.nullable().meta({
      description: "Until when the text before the last rotation works; null when it doesn't",
    }),
    created_at: Timestamp,
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: "Key" });
export type Key = z.output<typeof Key>;

/** `GET /key`: what a key may know of itself. The official clients require every field. */
export const CurrentKey = Key.pick({
  label: true,
  limit: true,
  limit_remaining: true,
  limit_reset: true,
  include_byok_in_limit: true,
  expires_at: true,
  creator_user_id: true,
  workspace_id: true,
})
  .extend({
    ...KeyUsage.shape,
    organization_id: Uuid,
    is_management_key: z.boolean(),
    is_provisioning_key: z.boolean(),
    is_free_tier: z.boolean(),
    allowed_data_regions: z.array(z.string()),
    rate_limit: z.object({ requests: z.number().int(), interval: z.string(), note: z.string() }),
    free_model_daily_requests: z.object({
      limit: z.number().int(),
      remaining: z.number().int(),
      used: z.number().int(),
    }),
  })
  .meta({ id: "CurrentKey" });
export type CurrentKey = z.output<typeof CurrentKey>;

export const CreateKeyBody = z
  .strictObject({
    ...KeyFields.omit({ name: true, disabled: true }).partial().shape,
    name: KeyFields.shape.name,
    kind: z.enum(KEY_KINDS).default("inference"),
    workspace_id: Uuid.optional().meta({ description: "Inference keys only; the default workspace when omitted" }),
    creator_user_id: z
      .string()
      .min(1)
      .max(200)
      .nullish()
      .meta({ description: "The member the key belongs to; the caller when omitted" }),
    guardrail_id: Uuid.nullish().meta({
      description: "A guardrail of the same workspace, assigned together with the creation; inference keys only",
    }),
  })
  .refine(({ kind, workspace_id }) => kind === "inference" || workspace_id === undefined, {
    path: ["workspace_id"],
    message: "a management key belongs to the whole organization",
  })
  .refine(({ kind, guardrail_id }) => kind === "inference" || !guardrail_id, {
    path: ["guardrail_id"],
    message: "a management key sends no requests that a guardrail could judge",
  });
export type CreateKeyBody = z.output<typeof CreateKeyBody>;

export const UpdateKeyBody = z.strictObject(KeyFields.partial().shape);
export type UpdateKeyBody = z.output<typeof UpdateKeyBody>;

const HashParams = z.object({ hash: KeyHash });
const KeyWithText = z.object({ data: Key, key: z.string().meta({ description: "The key's text, shown this once" }) });
const management = { tag: "Keys", access: "management" } as const;

export const ListKeysQuery = listQuery(KEY_SORTS, "Part of the name, or the beginning of the label or hash").extend({
  include_disabled: z.enum(["true", "false"]).default("false"),
  status: z
    .enum(KEY_STATUSES)
    .optional()
    .meta({ description: "Decides alone: include_disabled counts only without it" }),
  workspace_id: Uuid.optional().meta({ description: "Keys of every workspace when omitted" }),
  kind: z.enum(KEY_KINDS).optional(),
  creator_user_id: z.string().max(200).optional(),
  guardrail_id: Uuid.optional().meta({ description: "Keys that hold this guardrail" }),
  assigned: z
    .enum(["none", "any"])
    .optional()
    .meta({ description: "Keys without a guardrail of their own, or with one" }),
});

export const listKeys = operation({
  tag: "Keys",
  access: "member",
  id: "listKeys",
  method: "GET",
  path: "/keys",
  summary: "List keys, newest first; a member sees the keys they created",
  query: ListKeysQuery,
  status: 200,
  result: page(Key),
  errors: [404],
});

export const createKey = operation({
  ...management,
  id: "createKey",
  method: "POST",
  path: "/keys",
  summary: "Create a key; its text is in this answer only",
  body: CreateKeyBody,
  status: 201,
  result: KeyWithText,
  errors: [404],
  idempotent: true,
  example: { body: { name: "Support bot", limit: 50, limit_reset: "monthly", expires_at: "2030-12-31T23:59:59Z" } },
});

export const getKey = operation({
  tag: "Keys",
  access: "member",
  id: "getKey",
  method: "GET",
  path: "/keys/{hash}",
  summary: "Get a key",
  params: HashParams,
  status: 200,
  result: envelope(Key),
});

export const updateKey = operation({
  ...management,
  id: "updateKey",
  method: "PATCH",
  path: "/keys/{hash}",
  summary: "Change the fields sent",
  params: HashParams,
  body: UpdateKeyBody,
  status: 200,
  result: envelope(Key),
  errors: [409],
  example: { body: { disabled: true } },
});

export const deleteKey = operation({
  ...management,
  id: "deleteKey",
  method: "DELETE",
  path: "/keys/{hash}",
  summary: "Delete a key and its guardrail assignment; its history keeps its name",
  params: HashParams,
  status: 200,
  result: Deleted,
  errors: [409],
});

export const rotateKey = operation({
  ...management,
  id: "rotateKey",
  method: "POST",
  path: "/keys/{hash}/rotate",
  summary: "Give a key new text; assignments, budgets and history stay with the key",
  params: HashParams,
  body: z.strictObject({
    grace_seconds: z
      .number()
      .int()
      .min(0)
      .max(MAX_GRACE_SECONDS)
      .default(0)
      .meta({ description: "How long the old text still works" }),
  }),
  status: 200,
  result: KeyWithText,
  idempotent: true,
  example: { body: { grace_seconds: 3600 } },
});

export const getCurrentKey = operation({
  tag: "Keys",
  access: "any",
  id: "getCurrentKey",
  method: "GET",
  path: "/key",
  summary: "Get the key that authenticates this request",
  status: 200,
  result: envelope(CurrentKey),
});

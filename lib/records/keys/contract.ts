import { z } from "zod";
import { GuardrailFields } from "../../engine/policy/contract";
import { Deleted, envelope, Instant, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { listQuery, page } from "../../platform/http/pagination";
import { TagFilter, Tags } from "../tags/contract";
import { DATA_REGIONS } from "../../engine/vocabulary";
import { RangeSpend, SpendRange } from "../generations/spend-contract";
import { RoleReference, WorkspaceRoles } from "../roles/contract";
import { KEY_KINDS, KEY_SORTS, KEY_STATUSES } from "./vocabulary";
import { newName } from "../../platform/name-contract";

const MAX_GRACE_SECONDS = 30 * 24 * 60 * 60;

export const KeyHash = z.string().regex(/^[0-9a-f]{64}$/);
const usd = z.number().min(0);

/** Caps on keys that members create. */
export const KeySelfService = z
  .strictObject({
    max_keys: z
      .number()
      .int()
      .min(1)
      .max(1000)
      .meta({ description: "Maximum number of keys of a member, including disabled ones" }),
    max_limit: GuardrailFields.shape.limit_usd.meta({
      description: "Maximum limit of a key in USD; a key then needs a limit. null for no cap",
    }),
    limit_reset: GuardrailFields.shape.reset_interval.meta({
      description: "Shortest interval in which a key's limit may reset; null: it must never reset",
    }),
    max_days: z
      .number()
      .int()
      .min(1)
      .max(3650)
      .nullable()
      .meta({ description: "Maximum number of days until a key expires; a key then needs an expiry. null for no cap" }),
  })
  .refine(({ max_limit, limit_reset }) => max_limit !== null || limit_reset === null, {
    path: ["limit_reset"],
    message: "must be null without max_limit",
  })
  .meta({ id: "KeySelfService" });
export type KeySelfService = z.output<typeof KeySelfService>;

/** The fields that an admin sets: docs/semantics.md#keys. */
const KeyFields = z.object({
  name: newName(200),
  disabled: z.boolean(),
  limit: GuardrailFields.shape.limit_usd,
  limit_reset: GuardrailFields.shape.reset_interval.meta({ description: "When the limit resets; null for never" }),
  include_byok_in_limit: z.boolean(),
  expires_at: Instant.nullable(),
  tags: Tags,
});

/** What a management key may do. */
const ManagementFields = z.object({
  role: RoleReference.nullable().meta({
    description: "Role of a management key for the whole organization; null for an admin's permissions",
  }),
  workspace_roles: WorkspaceRoles,
});

const KeyUsage = z.object({
  usage: usd.meta({ description: "Total spend in USD, excluding your own provider keys" }),
  usage_daily: usd,
  usage_weekly: usd,
  usage_monthly: usd,
  byok_usage: usd.meta({ description: "Spend in USD on your own provider keys" }),
  byok_usage_daily: usd,
  byok_usage_weekly: usd,
  byok_usage_monthly: usd,
});
export type KeyUsage = z.output<typeof KeyUsage>;

export const Key = z
  .object({
    id: Uuid.meta({ description: "Permanent identifier; unlike the hash, it doesn't change on rotation" }),
    hash: KeyHash,
    label: z.string(),
    kind: z.enum(KEY_KINDS),
    ...KeyFields.shape,
    ...ManagementFields.shape,
    name: z.string(),
    limit_remaining: usd.nullable().meta({
      description: "USD that can be spent until the limit resets, raises by exceptions included; null without a limit",
    }),
    ...KeyUsage.shape,
    workspace_id: Uuid,
    creator_user_id: z.string().nullable(),
    creator_name: z.string().nullable().meta({ description: "Name of the key's member, or their email address" }),
    is_creator_deactivated: z.boolean().meta({
      description: "Whether the key has no access because its member is deactivated",
    }),
    external_user: z.string().nullable(),
    guardrail_id: Uuid.nullable().meta({ description: "The guardrail assigned to this key" }),
    guardrail_name: z.string().nullable(),
    last_used_at: Timestamp.nullable(),
    requests_last_day: z.number().int().min(0).meta({ description: "Number of requests in the last 24 hours" }),
    old_text_expires_at: Timestamp.nullable().meta({
      description: "When the previous key stops working; null if it already has",
    }),
    created_at: Timestamp,
    updated_at: Timestamp.nullable(),
    range_spend: RangeSpend.optional().meta({ description: "In lists with a `range`" }),
  })
  .meta({ id: "Key" });
export type Key = z.output<typeof Key>;

/** `GET /key`: the calling key. The official clients require every field. */
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
    allowed_data_regions: z
      .array(z.enum(DATA_REGIONS))
      .meta({ description: "Data regions that the key's guardrails allow; empty when they allow none in common" }),
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
    ...ManagementFields.partial().shape,
    name: KeyFields.shape.name,
    kind: z.enum(KEY_KINDS).default("inference"),
    workspace_id: Uuid.optional().meta({ description: "Inference keys only; defaults to the default workspace" }),
    creator_user_id: z
      .string()
      .min(1)
      .max(200)
      .nullish()
      .meta({ description: "The member the key belongs to; defaults to the caller" }),
    guardrail_id: Uuid.nullish().meta({
      description: "A guardrail of the same workspace to assign to the key; inference keys only",
    }),
  })
  .refine(({ kind, workspace_id }) => kind === "inference" || workspace_id === undefined, {
    path: ["workspace_id"],
    message: "must be empty: a management key belongs to the whole organization",
  })
  .refine(({ kind, guardrail_id }) => kind === "inference" || !guardrail_id, {
    path: ["guardrail_id"],
    message: "must be empty: a management key sends no requests that a guardrail could apply to",
  })
  .superRefine(({ kind, role, workspace_roles }, context) => {
    const issue = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (kind === "inference" && role) issue("role", "must be empty: only management keys have a role");
    if (kind === "inference" && workspace_roles?.length)
      issue("workspace_roles", "must be empty: only management keys have roles");
    if (kind === "management" && workspace_roles?.length && !role)
      issue("role", "is required with workspace_roles: without it, the key has an admin's permissions");
  });
export type CreateKeyBody = z.output<typeof CreateKeyBody>;

export const UpdateKeyBody = z.strictObject({ ...KeyFields.partial().shape, ...ManagementFields.partial().shape });
export type UpdateKeyBody = z.output<typeof UpdateKeyBody>;

const HashParams = z.object({ hash: KeyHash });
const KeyWithText = z.object({ data: Key, key: z.string().meta({ description: "The key, shown only once" }) });
/** Members may call these within the organization's `key_self_service`: docs/semantics.md#self-service-keys. */
const selfService = { tag: "Keys", access: "member" } as const;

export const ListKeysQuery = listQuery(KEY_SORTS, "Search text in the name, or a prefix of the label or hash").extend({
  include_disabled: z.enum(["true", "false"]).default("false"),
  status: z
    .enum(KEY_STATUSES)
    .optional()
    .meta({ description: "Filter by status; takes precedence over include_disabled" }),
  workspace_id: Uuid.optional().meta({ description: "Defaults to keys of all workspaces" }),
  kind: z.enum(KEY_KINDS).optional(),
  creator_user_id: z.string().max(200).optional(),
  guardrail_id: Uuid.optional().meta({ description: "Keys assigned to this guardrail" }),
  assigned: z
    .enum(["none", "any"])
    .optional()
    .meta({ description: "Filter by keys with or without their own guardrail" }),
  tag: TagFilter.meta({ description: "Keys with this tag" }),
  range: SpendRange,
});

export const listKeys = operation({
  tag: "Keys",
  access: "member",
  id: "listKeys",
  permission: "keys:read",
  byWorkspace: true,
  method: "GET",
  path: "/keys",
  summary: "List keys, newest first; without the permission, members see the keys they created",
  query: ListKeysQuery,
  status: 200,
  result: page(Key),
  errors: [404],
});

export const createKey = operation({
  ...selfService,
  id: "createKey",
  permission: "keys:write",
  byWorkspace: true,
  recentSignIn: true,
  method: "POST",
  path: "/keys",
  summary: "Create a key; it is shown only in this response. Members need self-service, and stay within its caps",
  body: CreateKeyBody,
  status: 201,
  result: KeyWithText,
  idempotent: true,
  example: { body: { name: "Support bot", limit: 50, limit_reset: "monthly", expires_at: "2030-12-31T23:59:59Z" } },
});

export const getKey = operation({
  tag: "Keys",
  access: "member",
  id: "getKey",
  permission: "keys:read",
  byWorkspace: true,
  method: "GET",
  path: "/keys/{hash}",
  summary: "Get a key",
  params: HashParams,
  status: 200,
  result: envelope(Key),
});

export const updateKey = operation({
  ...selfService,
  id: "updateKey",
  permission: "keys:write",
  byWorkspace: true,
  recentSignIn: true,
  method: "PATCH",
  path: "/keys/{hash}",
  summary: "Update the given fields; with self-service, members rename and disable their own keys",
  params: HashParams,
  body: UpdateKeyBody,
  status: 200,
  result: envelope(Key),
  errors: [409],
  example: { body: { disabled: true } },
});

export const deleteKey = operation({
  ...selfService,
  id: "deleteKey",
  permission: "keys:write",
  byWorkspace: true,
  recentSignIn: true,
  method: "DELETE",
  path: "/keys/{hash}",
  summary: "Delete a key and its guardrail assignment; history keeps its name",
  params: HashParams,
  status: 200,
  result: Deleted,
  errors: [409],
});

export const rotateKey = operation({
  ...selfService,
  id: "rotateKey",
  permission: "keys:write",
  byWorkspace: true,
  recentSignIn: true,
  method: "POST",
  path: "/keys/{hash}/rotate",
  summary: "Rotate a key; assignments, budgets and history are kept",
  params: HashParams,
  body: z.strictObject({
    grace_seconds: z
      .number()
      .int()
      .min(0)
      .max(MAX_GRACE_SECONDS)
      .default(0)
      .meta({ description: "How long the previous key keeps working, in seconds" }),
  }),
  bodyOptional: true,
  status: 200,
  result: KeyWithText,
  idempotent: true,
  example: { body: { grace_seconds: 3600 } },
});

export const getAuthKey = operation({
  tag: "Keys",
  access: "any",
  id: "getAuthKey",
  method: "GET",
  path: "/auth/key",
  summary: "Get the key that authenticates this request, as getCurrentKey",
  status: 200,
  result: envelope(CurrentKey),
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

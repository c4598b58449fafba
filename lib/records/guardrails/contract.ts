import { z } from "zod";
import { Deleted, envelope, IdParams, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { listQuery, page } from "../../platform/http/pagination";
import { isNameOrWildcard, NAME_RULE } from "../../engine/policy/vocabulary";
import { DATA_REGIONS } from "../models/vocabulary";
import { ExternalChecks, Judges } from "./checks-contract";
import {
  acceptsAction,
  BUILTIN_SLUGS,
  FILTER_ACTIONS,
  FILTER_SCOPES,
  GUARDRAIL_SORTS,
  MAX_CUSTOM_FILTERS,
  PROMPT_INJECTION_BUILTIN,
  RESET_INTERVALS,
  SCAN_SCOPES,
} from "./vocabulary";

/** `enforce_zdr_<vendor slug>`: the alias of a vendor switch, named after the configured vendor. */
export const ZDR_VENDOR_FIELD = /^enforce_zdr_[a-z0-9][a-z0-9-]*$/;

const listOf = <T extends z.ZodType>(entry: T) => z.array(entry).max(1000).nullable();
const slugList = listOf(z.string().trim().min(1).max(200).refine(isNameOrWildcard, NAME_RULE));
const scanScope = z.enum(SCAN_SCOPES).optional().meta({
  description:
    "What is scanned of requests: all texts, all but the application's own instructions and tool definitions (untrusted), or user messages. Default: untrusted for regex-prompt-injection, all_messages for others",
});
const filterScope = z
  .enum(FILTER_SCOPES)
  .optional()
  .meta({ description: "What is scanned: the request, the answer or both", default: "request" });

export const BuiltinFilter = z
  .strictObject({
    slug: z.enum(BUILTIN_SLUGS),
    action: z.enum(FILTER_ACTIONS),
    scan_scope: scanScope,
    scope: filterScope,
    label: z.string().max(100).optional().meta({ description: "Read-only: replaces a redacted span", readOnly: true }),
  })
  .refine(({ slug, action }) => acceptsAction(slug, action), {
    path: ["action"],
    message: `flag is accepted only with slug ${PROMPT_INJECTION_BUILTIN}`,
  })
  .refine(({ scope, scan_scope = "all_messages" }) => scope !== "response" || scan_scope === "all_messages", {
    path: ["scan_scope"],
    message: "selects texts of a request; with scope response it must be all_messages",
  });
export type BuiltinFilter = z.output<typeof BuiltinFilter>;

export const CustomFilter = z.strictObject({
  pattern: z.string().min(1).max(10_000).meta({
    description: "Regular expression for a linear-time engine; lookaround and backreferences aren't supported",
  }),
  label: z.string().max(100).nullish(),
  action: z.enum(FILTER_ACTIONS),
  scope: filterScope,
});
export type CustomFilter = z.output<typeof CustomFilter>;

const uniqueSlugs = (filters: readonly BuiltinFilter[] | null) =>
  !filters || new Set(filters.map(({ slug }) => slug)).size === filters.length;

/** The fields that an admin sets: docs/semantics.md#guardrails. */
export const GuardrailFields = z.object({
  name: z.string().trim().min(1).max(200),
  description: z.string().max(1000).nullable(),
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
  [Field in Exclude<GuardrailField, "name">]: null extends GuardrailFields[Field] ? null : false;
};
const { name: _, ...restrictions } = GuardrailFields.shape;
/** Every field but the name, of a guardrail that restricts nothing. */
export const UNRESTRICTED_FIELDS = Object.fromEntries(
  Object.entries(restrictions).map(([field, schema]) => [field, schema.safeParse(null).success ? null : false]),
) as Unrestricted;

/** Rejects unknown fields; those with the form of a vendor switch are checked against the configured vendors. */
const refuseUnknown = (
  body: Record<string, unknown>,
  context: z.core.$RefinementCtx,
  known: Record<string, unknown>,
) => {
  for (const [key, value] of Object.entries(body)) {
    if (Object.hasOwn(known, key)) continue;
    if (!ZDR_VENDOR_FIELD.test(key)) context.addIssue({ code: "unrecognized_keys", keys: [key], input: body });
    else if (typeof value !== "boolean" && value !== null) {
      context.addIssue({ code: "custom", path: [key], message: "expected boolean or null", input: value });
    }
  }
};

const writable = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .object(shape)
    .catchall(z.unknown())
    .superRefine((body, context) => refuseUnknown(body, context, shape), {
      when: ({ value }) => typeof value === "object" && value !== null,
    });

const optionalFields = GuardrailFields.partial().shape;

/** A separate field of the write, not of the guardrail itself. */
export const RevisionMessage = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .meta({ description: "Change message, stored in the guardrail's history" });

export const CreateGuardrailBody = writable({
  ...optionalFields,
  name: GuardrailFields.shape.name,
  workspace_id: Uuid.optional(),
  revision_message: RevisionMessage.optional(),
});
export type CreateGuardrailBody = z.output<typeof CreateGuardrailBody>;

export const UpdateGuardrailBody = writable({ ...optionalFields, revision_message: RevisionMessage.optional() });
export type UpdateGuardrailBody = z.output<typeof UpdateGuardrailBody>;

/** Fields of an unsaved guardrail. */
export const GuardrailDraft = writable(optionalFields);
export type GuardrailDraft = z.output<typeof GuardrailDraft>;

/** A draft in a workspace, or a stored guardrail with changed fields. */
export const GuardrailTrial = writable({ ...optionalFields, id: Uuid.optional(), workspace_id: Uuid.optional() });

export const Guardrail = GuardrailFields.extend({
  id: Uuid,
  workspace_id: Uuid,
  revision: z.number().int().min(1),
  created_at: Timestamp,
  updated_at: Timestamp.nullable(),
})
  .catchall(z.unknown())
  .meta({ id: "Guardrail" });
export type Guardrail = z.output<typeof Guardrail>;

/**
 * Sorting: a guardrail that was never changed uses its creation time as `updated_at`; no limit sorts as the highest.
 */
export const ListGuardrailsQuery = listQuery(GUARDRAIL_SORTS, "Search text in name and description").extend({
  workspace_id: z
    .union([z.literal("all"), Uuid])
    .optional()
    .meta({ description: "`all` lists those of all workspaces. Defaults to the default workspace" }),
});
export type ListGuardrailsQuery = z.output<typeof ListGuardrailsQuery>;

const management = { tag: "Guardrails", access: "management" } as const;

export const listGuardrails = operation({
  ...management,
  id: "listGuardrails",
  method: "GET",
  path: "/guardrails",
  summary: "List the guardrails of a workspace or of all, newest first",
  query: ListGuardrailsQuery,
  status: 200,
  result: page(Guardrail),
  errors: [404],
});

const exampleBody = {
  name: "Production",
  allowed_providers: ["openai", "anthropic"],
  limit_usd: 100,
  reset_interval: "monthly",
  content_filter_builtins: [{ slug: "email", action: "redact" }],
  content_filters: [{ pattern: "PROJ-[0-9]{4}", label: "[TICKET]", action: "redact" }],
};

export const createGuardrail = operation({
  ...management,
  id: "createGuardrail",
  method: "POST",
  path: "/guardrails",
  summary: "Create a guardrail",
  body: CreateGuardrailBody,
  bodySize: "medium",
  inspected: true,
  status: 201,
  result: envelope(Guardrail),
  idempotent: true,
  etag: true,
  example: { body: exampleBody },
});

export const getGuardrail = operation({
  ...management,
  id: "getGuardrail",
  method: "GET",
  path: "/guardrails/{id}",
  summary: "Get a guardrail",
  params: IdParams,
  status: 200,
  result: envelope(Guardrail),
  etag: true,
});

export const updateGuardrail = operation({
  ...management,
  id: "updateGuardrail",
  method: "PATCH",
  path: "/guardrails/{id}",
  summary: "Update the given fields; a list is replaced as a whole, and null clears a field",
  params: IdParams,
  body: UpdateGuardrailBody,
  bodySize: "medium",
  inspected: true,
  status: 200,
  result: envelope(Guardrail),
  errors: [409],
  etag: true,
  ifMatch: true,
  example: { body: { limit_usd: 250, content_filters: null } },
});

export const deleteGuardrail = operation({
  ...management,
  id: "deleteGuardrail",
  method: "DELETE",
  path: "/guardrails/{id}",
  summary: "Delete a guardrail and its assignments",
  params: IdParams,
  status: 200,
  result: Deleted,
  ifMatch: true,
});

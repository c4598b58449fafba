import { z } from "zod";
import { Deleted, envelope, IdParams, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { listQuery, page } from "../../platform/http/pagination";
import { GuardrailFields, ZDR_VENDOR_FIELD } from "../../engine/policy/contract";
import { GUARDRAIL_SORTS } from "./vocabulary";
import { newName } from "../../platform/name-contract";

/** Rejects unknown fields. Names in the form of a vendor switch are checked against the configured vendors. */
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

const optionalFields = { ...GuardrailFields.partial().shape, name: newName(200).optional() };

/** A field of the write request, not of the guardrail. */
export const RevisionMessage = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .meta({ description: "Change message, stored in the guardrail's history" });

export const CreateGuardrailBody = writable({
  ...optionalFields,
  name: newName(200),
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
  permission: "guardrails:read",
  byWorkspace: true,
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
  permission: "guardrails:write",
  byWorkspace: true,
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
  permission: "guardrails:read",
  byWorkspace: true,
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
  permission: "guardrails:write",
  byWorkspace: true,
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
  permission: "guardrails:write",
  byWorkspace: true,
  method: "DELETE",
  path: "/guardrails/{id}",
  summary: "Delete a guardrail and its assignments",
  params: IdParams,
  status: 200,
  result: Deleted,
  ifMatch: true,
});

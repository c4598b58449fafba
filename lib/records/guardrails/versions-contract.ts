import { z } from "zod";
import { envelope, IdParams, operation, Timestamp } from "../../platform/http/operation";
import { page, PageQuery } from "../../platform/http/pagination";
import { Guardrail, RevisionMessage } from "./contract";
import { GuardrailFields } from "../../engine/policy/contract";

const Author = z.object({ id: z.string(), name: z.string() });

export const GuardrailVersion = z
  .object({
    revision: z.number().int().min(1),
    author: Author.nullable().meta({
      description: "null for a key without a member, or an erased member",
    }),
    created_at: Timestamp,
    message: z.string().nullable(),
    changed_fields: z
      .array(z.string())
      .meta({ description: "Fields changed since the previous revision; in the first, all fields that are set" }),
  })
  .meta({ id: "GuardrailVersion" });
export type GuardrailVersion = z.output<typeof GuardrailVersion>;

export const GuardrailVersionDetail = GuardrailVersion.extend({
  fields: GuardrailFields.meta({ description: "The complete guardrail at this revision" }),
}).meta({
  id: "GuardrailVersionDetail",
});

/** Digits only; a malformed number returns 404, like an unknown one. */
const RevisionParams = IdParams.extend({
  n: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .pipe(z.coerce.number<string>()),
});
const management = { tag: "Guardrails", access: "management" } as const;

export const listGuardrailVersions = operation({
  ...management,
  id: "listGuardrailVersions",
  permission: "guardrails:read",
  byWorkspace: true,
  method: "GET",
  path: "/guardrails/{id}/versions",
  summary: "List the revisions of a guardrail, newest first",
  params: IdParams,
  query: PageQuery,
  status: 200,
  result: page(GuardrailVersion),
});

export const getGuardrailVersion = operation({
  ...management,
  id: "getGuardrailVersion",
  permission: "guardrails:read",
  byWorkspace: true,
  method: "GET",
  path: "/guardrails/{id}/versions/{n}",
  summary: "Get a revision of a guardrail with all its fields",
  params: RevisionParams,
  status: 200,
  result: envelope(GuardrailVersionDetail),
});

export const restoreGuardrailVersion = operation({
  ...management,
  id: "restoreGuardrailVersion",
  permission: "guardrails:write",
  byWorkspace: true,
  method: "POST",
  path: "/guardrails/{id}/versions/{n}/restore",
  summary: "Restore the fields of an older revision as a new revision; assignments don't change",
  params: RevisionParams,
  body: z.strictObject({ revision_message: RevisionMessage.optional() }),
  bodyOptional: true,
  status: 200,
  result: envelope(Guardrail),
  etag: true,
  ifMatch: true,
  idempotent: true,
  example: { body: { revision_message: "Restore October limits" } },
});

import { z } from "zod";
import { IdParams, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { page, PageQuery } from "../../platform/http/pagination";

export const KeyAssignment = z
  .object({
    id: Uuid,
    guardrail_id: Uuid,
    key_hash: z.string(),
    key_name: z.string(),
    key_label: z.string(),
    assigned_by: z.string().nullable(),
    created_at: Timestamp,
  })
  .meta({ id: "GuardrailKeyAssignment" });
export type KeyAssignment = z.output<typeof KeyAssignment>;

export const MemberAssignment = z
  .object({
    id: Uuid,
    guardrail_id: Uuid,
    user_id: z.string(),
    organization_id: Uuid,
    assigned_by: z.string().nullable(),
    created_at: Timestamp,
  })
  .meta({ id: "GuardrailMemberAssignment" });
export type MemberAssignment = z.output<typeof MemberAssignment>;

const names = z.array(z.string().min(1).max(200)).min(1).max(1000);
export const KeyHashesBody = z.strictObject({ key_hashes: names });
export const MemberUserIdsBody = z.strictObject({ member_user_ids: names });

const DryRun = z.object({
  dry_run: z
    .enum(["true", "false"])
    .default("false")
    .meta({ description: "Set to true to preview the result without changing anything" }),
});

/** Preview of an assignment change by target. */
const preview = <Moved extends z.ZodType>(moved: Moved) =>
  z
    .object({
      new: z.array(z.string()).meta({ description: "Targets without a guardrail" }),
      moved: z.array(moved).meta({ description: "Targets moved from another guardrail" }),
      unchanged: z.array(z.string()).meta({ description: "Targets that don't change" }),
    })
    .optional()
    .meta({ description: "Included with dry_run" });

const change_id = Uuid.optional().meta({ description: "ID for the undo operation; omitted when nothing changed" });
const keyEffect = { preview: preview(z.object({ key_hash: z.string(), from_guardrail_id: Uuid })), change_id };
const memberEffect = { preview: preview(z.object({ user_id: z.string(), from_guardrail_id: Uuid })), change_id };
const count = z.number().int().min(0);

/** The reason that a key or member can't be restored, in metadata.conflicts of undo's 409. */
export const UndoConflict = z.object({
  key_hash: z.string().optional(),
  user_id: z.string().optional(),
  name: z.string(),
  reason: z.enum(["changed", "removed", "guardrail_removed"]),
  guardrail_id: Uuid.nullable().meta({ description: "The current guardrail" }),
  guardrail_name: z.string().nullable(),
});
export type UndoConflict = z.output<typeof UndoConflict>;

const list = {
  tag: "Guardrail assignments",
  access: "management",
  method: "GET",
  query: PageQuery,
  status: 200,
} as const;
const change = {
  tag: "Guardrail assignments",
  access: "management",
  method: "POST",
  params: IdParams,
  query: DryRun,
  status: 200,
  idempotent: true,
} as const;
const exampleKeys = { key_hashes: ["f01d52606dc8f0a8303a7b5cc3fa07109c2e346cec7c0a16b40de462992ce943"] };
const exampleMembers = { member_user_ids: ["user_2dHFtVWx2n56w6HkM0000000"] };

export const listKeyAssignments = operation({
  ...list,
  id: "listKeyAssignments",
  permission: "guardrails:read",
  byWorkspace: true,
  path: "/guardrails/assignments/keys",
  summary: "List all key assignments of the organization, newest first",
  result: page(KeyAssignment),
});

export const listMemberAssignments = operation({
  ...list,
  id: "listMemberAssignments",
  permission: "guardrails:read",
  byWorkspace: true,
  path: "/guardrails/assignments/members",
  summary: "List all member assignments of the organization, newest first",
  result: page(MemberAssignment),
});

export const listGuardrailKeyAssignments = operation({
  ...list,
  id: "listGuardrailKeyAssignments",
  permission: "guardrails:read",
  byWorkspace: true,
  path: "/guardrails/{id}/assignments/keys",
  summary: "List the keys assigned to a guardrail, newest first",
  params: IdParams,
  result: page(KeyAssignment),
});

export const listGuardrailMemberAssignments = operation({
  ...list,
  id: "listGuardrailMemberAssignments",
  permission: "guardrails:read",
  byWorkspace: true,
  path: "/guardrails/{id}/assignments/members",
  summary: "List the members assigned to a guardrail, newest first",
  params: IdParams,
  result: page(MemberAssignment),
});

export const bulkAssignKeys = operation({
  ...change,
  id: "bulkAssignKeysToGuardrail",
  permission: "guardrails:write",
  byWorkspace: true,
  path: "/guardrails/{id}/assignments/keys",
  summary: "Assign keys to a guardrail, moving keys that are assigned to another one",
  body: KeyHashesBody,
  bodySize: "medium",
  result: z.object({ assigned_count: count, ...keyEffect }),
  example: { body: exampleKeys },
});

export const bulkUnassignKeys = operation({
  ...change,
  id: "bulkUnassignKeysFromGuardrail",
  permission: "guardrails:write",
  byWorkspace: true,
  path: "/guardrails/{id}/assignments/keys/remove",
  summary: "Unassign keys from a guardrail",
  body: KeyHashesBody,
  bodySize: "medium",
  result: z.object({ unassigned_count: count, ...keyEffect }),
  example: { body: exampleKeys },
});

export const bulkAssignMembers = operation({
  ...change,
  id: "bulkAssignMembersToGuardrail",
  permission: "guardrails:write",
  byWorkspace: true,
  path: "/guardrails/{id}/assignments/members",
  summary: "Assign members to a guardrail, moving members that are assigned to another one in the workspace",
  body: MemberUserIdsBody,
  bodySize: "medium",
  result: z.object({ assigned_count: count, ...memberEffect }),
  example: { body: exampleMembers },
});

export const bulkUnassignMembers = operation({
  ...change,
  id: "bulkUnassignMembersFromGuardrail",
  permission: "guardrails:write",
  byWorkspace: true,
  path: "/guardrails/{id}/assignments/members/remove",
  summary: "Unassign members from a guardrail",
  body: MemberUserIdsBody,
  bodySize: "medium",
  result: z.object({ unassigned_count: count, ...memberEffect }),
  example: { body: exampleMembers },
});

export const undoAssignments = operation({
  tag: "Guardrail assignments",
  access: "management",
  id: "undoGuardrailAssignments",
  permission: "guardrails:write",
  byWorkspace: true,
  method: "POST",
  path: "/guardrails/assignments/undo",
  summary:
    "Undo a bulk assignment change: restores every previous assignment, or fails without changes if any target has changed since",
  body: z.strictObject({ change_id: Uuid }),
  status: 200,
  result: z.object({ restored_count: count }),
  errors: [404],
  idempotent: true,
  example: { body: { change_id: "0198c9d2-6f0a-7c3e-9a51-0f4f7d3c2b1a" } },
});

import { z } from "zod";
import { IdParams, operation, Timestamp, Uuid } from "../http/operation";
import { page, PageQuery } from "../http/pagination";

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

const assignedCount = z.object({ assigned_count: z.number().int().min(0) });
const unassignedCount = z.object({ unassigned_count: z.number().int().min(0) });

const list = { tag: "Guardrail assignments", access: "management", method: "GET", query: PageQuery, status: 200 } as const;
const change = { tag: "Guardrail assignments", access: "management", method: "POST", params: IdParams, status: 200, idempotent: true } as const;
const listErrors = [400, 401, 403, 429, 500];
const changeErrors = [400, 401, 403, 404, 409, 413, 429, 500];
const exampleKeys = { key_hashes: ["f01d52606dc8f0a8303a7b5cc3fa07109c2e346cec7c0a16b40de462992ce943"] };
const exampleMembers = { member_user_ids: ["user_2dHFtVWx2n56w6HkM0000000"] };

export const listKeyAssignments = operation({
  ...list,
  id: "listKeyAssignments",
  path: "/guardrails/assignments/keys",
  summary: "List all key assignments of the organization, newest first",
  result: page(KeyAssignment),
  errors: listErrors,
});

export const listMemberAssignments = operation({
  ...list,
  id: "listMemberAssignments",
  path: "/guardrails/assignments/members",
  summary: "List all member assignments of the organization, newest first",
  result: page(MemberAssignment),
  errors: listErrors,
});

export const listGuardrailKeyAssignments = operation({
  ...list,
  id: "listGuardrailKeyAssignments",
  path: "/guardrails/{id}/assignments/keys",
  summary: "List the keys assigned to a guardrail, newest first",
  params: IdParams,
  result: page(KeyAssignment),
  errors: [...listErrors, 404],
});

export const listGuardrailMemberAssignments = operation({
  ...list,
  id: "listGuardrailMemberAssignments",
  path: "/guardrails/{id}/assignments/members",
  summary: "List the members assigned to a guardrail, newest first",
  params: IdParams,
  result: page(MemberAssignment),
  errors: [...listErrors, 404],
});

export const bulkAssignKeys = operation({
  ...change,
  id: "bulkAssignKeysToGuardrail",
  path: "/guardrails/{id}/assignments/keys",
  summary: "Assign keys to a guardrail; a key that holds another one moves",
  body: KeyHashesBody,
  result: assignedCount,
  errors: changeErrors,
  example: { body: exampleKeys },
});

export const bulkUnassignKeys = operation({
  ...change,
  id: "bulkUnassignKeysFromGuardrail",
  path: "/guardrails/{id}/assignments/keys/remove",
  summary: "Unassign keys from a guardrail",
  body: KeyHashesBody,
  result: unassignedCount,
  errors: changeErrors,
  example: { body: exampleKeys },
});

export const bulkAssignMembers = operation({
  ...change,
  id: "bulkAssignMembersToGuardrail",
  path: "/guardrails/{id}/assignments/members",
  summary: "Assign members to a guardrail; a member that holds another one of the workspace moves",
  body: MemberUserIdsBody,
  result: assignedCount,
  errors: changeErrors,
  example: { body: exampleMembers },
});

export const bulkUnassignMembers = operation({
  ...change,
  id: "bulkUnassignMembersFromGuardrail",
  path: "/guardrails/{id}/assignments/members/remove",
  summary: "Unassign members from a guardrail",
  body: MemberUserIdsBody,
  result: unassignedCount,
  errors: changeErrors,
  example: { body: exampleMembers },
});

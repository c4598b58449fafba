// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/guardrails/assignments-contract";

export const bulkAssignKeys = {"id":"bulkAssignKeysToGuardrail","method":"POST","path":"/guardrails/{id}/assignments/keys","access":"management"} as Callable<typeof contract.bulkAssignKeys>;
export const bulkAssignMembers = {"id":"bulkAssignMembersToGuardrail","method":"POST","path":"/guardrails/{id}/assignments/members","access":"management"} as Callable<typeof contract.bulkAssignMembers>;
export const bulkUnassignKeys = {"id":"bulkUnassignKeysFromGuardrail","method":"POST","path":"/guardrails/{id}/assignments/keys/remove","access":"management"} as Callable<typeof contract.bulkUnassignKeys>;
export const bulkUnassignMembers = {"id":"bulkUnassignMembersFromGuardrail","method":"POST","path":"/guardrails/{id}/assignments/members/remove","access":"management"} as Callable<typeof contract.bulkUnassignMembers>;
export const listGuardrailKeyAssignments = {"id":"listGuardrailKeyAssignments","method":"GET","path":"/guardrails/{id}/assignments/keys","access":"management"} as Callable<typeof contract.listGuardrailKeyAssignments>;
export const listGuardrailMemberAssignments = {"id":"listGuardrailMemberAssignments","method":"GET","path":"/guardrails/{id}/assignments/members","access":"management"} as Callable<typeof contract.listGuardrailMemberAssignments>;
export const listKeyAssignments = {"id":"listKeyAssignments","method":"GET","path":"/guardrails/assignments/keys","access":"management"} as Callable<typeof contract.listKeyAssignments>;
export const listMemberAssignments = {"id":"listMemberAssignments","method":"GET","path":"/guardrails/assignments/members","access":"management"} as Callable<typeof contract.listMemberAssignments>;
export const undoAssignments = {"id":"undoGuardrailAssignments","method":"POST","path":"/guardrails/assignments/undo","access":"management"} as Callable<typeof contract.undoAssignments>;

import { assignMembers } from "@/lib/guardrails/assignment-changes";
import { listMembersOf } from "@/lib/guardrails/assignments";
import { bulkAssignMembers, listGuardrailMemberAssignments } from "@/lib/guardrails/assignments-contract";
import { handle } from "@/lib/http/handle";

export const GET = handle(listGuardrailMemberAssignments, listMembersOf);
export const POST = handle(bulkAssignMembers, assignMembers);

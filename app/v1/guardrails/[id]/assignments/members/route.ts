import { assignMembers } from "@/lib/records/guardrails/assignment-changes-service";
import { listMembersOf } from "@/lib/records/guardrails/assignments-service";
import { bulkAssignMembers, listGuardrailMemberAssignments } from "@/lib/records/guardrails/assignments-contract";
import { handle } from "@/lib/server/handle";

export const GET = handle(listGuardrailMemberAssignments, listMembersOf);
export const POST = handle(bulkAssignMembers, assignMembers);

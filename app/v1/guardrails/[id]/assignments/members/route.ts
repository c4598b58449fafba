import { bulkAssignMembers, listGuardrailMemberAssignments } from "@/lib/guardrails/assignments-contract";
import * as assignments from "@/lib/guardrails/assignments";
import { handle } from "@/lib/http/handle";

export const GET = handle(listGuardrailMemberAssignments, assignments.listMembersOf);
export const POST = handle(bulkAssignMembers, assignments.assignMembers);

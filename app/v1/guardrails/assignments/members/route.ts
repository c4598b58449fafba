import { listMemberAssignments } from "@/lib/guardrails/assignments-contract";
import * as assignments from "@/lib/guardrails/assignments";
import { handle } from "@/lib/http/handle";

export const GET = handle(listMemberAssignments, assignments.listMembers);

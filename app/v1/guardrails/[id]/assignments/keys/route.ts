import { bulkAssignKeys, listGuardrailKeyAssignments } from "@/lib/guardrails/assignments-contract";
import * as assignments from "@/lib/guardrails/assignments";
import { handle } from "@/lib/http/handle";

export const GET = handle(listGuardrailKeyAssignments, assignments.listKeysOf);
export const POST = handle(bulkAssignKeys, assignments.assignKeys);

import { assignKeys } from "@/lib/records/guardrails/assignment-changes-service";
import { listKeysOf } from "@/lib/records/guardrails/assignments-service";
import { bulkAssignKeys, listGuardrailKeyAssignments } from "@/lib/records/guardrails/assignments-contract";
import { handle } from "@/lib/server/handle";

export const GET = handle(listGuardrailKeyAssignments, listKeysOf);
export const POST = handle(bulkAssignKeys, assignKeys);

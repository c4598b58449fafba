import { assignKeys } from "@/lib/guardrails/assignment-changes";
import { listKeysOf } from "@/lib/guardrails/assignments";
import { bulkAssignKeys, listGuardrailKeyAssignments } from "@/lib/guardrails/assignments-contract";
import { handle } from "@/lib/http/handle";

export const GET = handle(listGuardrailKeyAssignments, listKeysOf);
export const POST = handle(bulkAssignKeys, assignKeys);

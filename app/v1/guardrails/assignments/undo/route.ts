import { undoAssignments } from "@/lib/records/guardrails/assignments-contract";
import { undo } from "@/lib/records/guardrails/assignment-undo-service";
import { handle } from "@/lib/server/handle";

export const POST = handle(undoAssignments, undo);

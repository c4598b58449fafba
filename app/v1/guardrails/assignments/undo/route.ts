import { undoAssignments } from "@/lib/guardrails/assignments-contract";
import { undo } from "@/lib/guardrails/assignment-undo";
import { handle } from "@/lib/http/handle";

export const POST = handle(undoAssignments, undo);

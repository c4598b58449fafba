import { listKeyAssignments } from "@/lib/records/guardrails/assignments-contract";
import * as assignments from "@/lib/records/guardrails/assignments-service";
import { handle } from "@/lib/server/handle";

export const GET = handle(listKeyAssignments, assignments.listKeys);

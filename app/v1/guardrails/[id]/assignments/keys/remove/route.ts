import { bulkUnassignKeys } from "@/lib/guardrails/assignments-contract";
import * as assignments from "@/lib/guardrails/assignments";
import { handle } from "@/lib/http/handle";

export const POST = handle(bulkUnassignKeys, assignments.unassignKeys);

import { unassignKeys } from "@/lib/records/guardrails/assignment-changes-service";
import { bulkUnassignKeys } from "@/lib/records/guardrails/assignments-contract";
import { handle } from "@/lib/server/handle";

export const POST = handle(bulkUnassignKeys, unassignKeys);

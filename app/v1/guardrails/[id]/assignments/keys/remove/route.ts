import { unassignKeys } from "@/lib/guardrails/assignment-changes";
import { bulkUnassignKeys } from "@/lib/guardrails/assignments-contract";
import { handle } from "@/lib/http/handle";

export const POST = handle(bulkUnassignKeys, unassignKeys);

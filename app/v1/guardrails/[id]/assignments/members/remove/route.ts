import { unassignMembers } from "@/lib/guardrails/assignment-changes";
import { bulkUnassignMembers } from "@/lib/guardrails/assignments-contract";
import { handle } from "@/lib/http/handle";

export const POST = handle(bulkUnassignMembers, unassignMembers);

import { unassignMembers } from "@/lib/records/guardrails/assignment-changes-service";
import { bulkUnassignMembers } from "@/lib/records/guardrails/assignments-contract";
import { handle } from "@/lib/server/handle";

export const POST = handle(bulkUnassignMembers, unassignMembers);

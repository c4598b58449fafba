import { handle } from "@/lib/server/handle";
import { removeGroupMembers } from "@/lib/records/groups/contract";
import * as groups from "@/lib/records/groups/service";

export const POST = handle(removeGroupMembers, groups.removeMembers);

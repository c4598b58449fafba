import { handle } from "@/lib/server/handle";
import { addGroupMembers, listGroupMembers } from "@/lib/records/groups/contract";
import * as groups from "@/lib/records/groups/service";

export const GET = handle(listGroupMembers, groups.listMembers);
export const POST = handle(addGroupMembers, groups.addMembers);

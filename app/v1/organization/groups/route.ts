import { handle } from "@/lib/server/handle";
import { createGroup, listGroups } from "@/lib/records/groups/contract";
import * as groups from "@/lib/records/groups/service";

export const GET = handle(listGroups, groups.list);
export const POST = handle(createGroup, groups.create);

import { handle } from "@/lib/server/handle";
import { deleteGroup, getGroup, updateGroup } from "@/lib/records/groups/contract";
import * as groups from "@/lib/records/groups/service";

export const GET = handle(getGroup, groups.get);
export const PATCH = handle(updateGroup, groups.update);
export const DELETE = handle(deleteGroup, groups.remove);

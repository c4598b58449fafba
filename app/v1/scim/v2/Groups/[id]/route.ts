import { deleteGroup, getGroup, patchGroup, replaceGroup } from "@/lib/records/scim/contract";
import * as groups from "@/lib/records/scim/groups-service";
import { handle } from "@/lib/server/handle";

export const GET = handle(getGroup, groups.get);
export const PUT = handle(replaceGroup, groups.replace);
export const PATCH = handle(patchGroup, groups.patch);
export const DELETE = handle(deleteGroup, groups.remove);

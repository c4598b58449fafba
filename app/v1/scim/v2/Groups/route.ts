import { createGroup, listGroups } from "@/lib/records/scim/contract";
import * as groups from "@/lib/records/scim/groups-service";
import { handle } from "@/lib/server/handle";

export const GET = handle(listGroups, groups.list);
export const POST = handle(createGroup, groups.create);

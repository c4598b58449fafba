import { handle } from "@/lib/server/handle";
import { getAccountPermissions } from "@/lib/records/groups/permissions-contract";
import * as permissions from "@/lib/records/groups/permissions-service";

export const GET = handle(getAccountPermissions, permissions.getOwn);

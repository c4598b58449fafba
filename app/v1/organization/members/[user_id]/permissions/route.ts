import { handle } from "@/lib/server/handle";
import { getMemberPermissions } from "@/lib/records/groups/permissions-contract";
import * as permissions from "@/lib/records/groups/permissions-service";

export const GET = handle(getMemberPermissions, permissions.getOfMember);

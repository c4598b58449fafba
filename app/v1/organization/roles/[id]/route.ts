import { handle } from "@/lib/server/handle";
import { deleteRole, getRole, updateRole } from "@/lib/records/roles/contract";
import * as roles from "@/lib/records/roles/service";

export const GET = handle(getRole, roles.get);
export const PATCH = handle(updateRole, roles.update);
export const DELETE = handle(deleteRole, roles.remove);

import { handle } from "@/lib/server/handle";
import { createRole, listRoles } from "@/lib/records/roles/contract";
import * as roles from "@/lib/records/roles/service";

export const GET = handle(listRoles, roles.list);
export const POST = handle(createRole, roles.create);

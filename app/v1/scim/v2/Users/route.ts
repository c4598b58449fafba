import { createUser, listUsers } from "@/lib/records/scim/contract";
import * as users from "@/lib/records/scim/users-service";
import { handle } from "@/lib/server/handle";

export const GET = handle(listUsers, users.list);
export const POST = handle(createUser, users.create);

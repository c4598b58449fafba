import { deleteUser, getUser, patchUser, replaceUser } from "@/lib/records/scim/contract";
import * as users from "@/lib/records/scim/users-service";
import { handle } from "@/lib/server/handle";

export const GET = handle(getUser, users.get);
export const PUT = handle(replaceUser, users.replace);
export const PATCH = handle(patchUser, users.patch);
export const DELETE = handle(deleteUser, users.remove);

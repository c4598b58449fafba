import { deleteMemberIdentity } from "@/lib/records/sign-in-connections/contract";
import { remove } from "@/lib/records/sign-in-connections/identities-service";
import { handle } from "@/lib/server/handle";

export const DELETE = handle(deleteMemberIdentity, remove);

import { listMemberIdentities } from "@/lib/records/sign-in-connections/contract";
import { list } from "@/lib/records/sign-in-connections/identities-service";
import { handle } from "@/lib/server/handle";

export const GET = handle(listMemberIdentities, list);

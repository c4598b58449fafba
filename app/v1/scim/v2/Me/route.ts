import { getMe } from "@/lib/records/scim/contract";
import { me } from "@/lib/records/scim/discovery-service";
import { handle } from "@/lib/server/handle";

export const GET = handle(getMe, me);

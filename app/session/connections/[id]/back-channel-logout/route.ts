import { handle } from "@/lib/server/handle";
import * as oidc from "@/lib/records/sign-in-connections/oidc-service";
import { backChannelLogout } from "@/lib/records/sign-in-connections/session-contract";

export const POST = handle(backChannelLogout, oidc.backChannelLogout);

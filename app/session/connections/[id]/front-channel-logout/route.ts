import { handle } from "@/lib/server/handle";
import * as oidc from "@/lib/records/sign-in-connections/oidc-service";
import { frontChannelLogout } from "@/lib/records/sign-in-connections/session-contract";

export const GET = handle(frontChannelLogout, oidc.frontChannelLogout);

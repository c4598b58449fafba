import { handle } from "@/lib/server/handle";
import { logOutByPost, logOutByRedirect } from "@/lib/records/sign-in-connections/saml-service";
import { samlLogoutByPost, samlLogoutByRedirect } from "@/lib/records/sign-in-connections/session-saml-contract";

export const GET = handle(samlLogoutByRedirect, logOutByRedirect);
export const POST = handle(samlLogoutByPost, logOutByPost);

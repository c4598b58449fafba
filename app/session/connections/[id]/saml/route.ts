import { handle } from "@/lib/server/handle";
import { finish, receive } from "@/lib/records/sign-in-connections/saml-service";
import { finishSamlSignIn, receiveSamlResponse } from "@/lib/records/sign-in-connections/session-saml-contract";

export const GET = handle(finishSamlSignIn, finish);
export const POST = handle(receiveSamlResponse, receive);

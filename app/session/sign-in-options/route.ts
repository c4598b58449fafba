import { handle } from "@/lib/server/handle";
import { chooseSignIn, getSignInOptions } from "@/lib/records/sign-in-connections/session-contract";
import { choose, options } from "@/lib/records/sign-in-connections/start-service";

export const GET = handle(getSignInOptions, options);
export const POST = handle(chooseSignIn, choose);

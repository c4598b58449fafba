import { handle } from "@/lib/server/handle";
import { finish } from "@/lib/records/sign-in-connections/oidc-service";
import { finishSignIn } from "@/lib/records/sign-in-connections/session-contract";

export const GET = handle(finishSignIn, finish);

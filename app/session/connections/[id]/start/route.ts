import { handle } from "@/lib/server/handle";
import { startSignIn } from "@/lib/records/sign-in-connections/session-contract";
import { start } from "@/lib/records/sign-in-connections/start-service";

export const GET = handle(startSignIn, start);

import { testSignInConnection } from "@/lib/records/sign-in-connections/contract";
import { start } from "@/lib/records/sign-in-connections/tests-service";
import { handle } from "@/lib/server/handle";

export const POST = handle(testSignInConnection, start);

import { getSignInTest } from "@/lib/records/sign-in-connections/contract";
import { get } from "@/lib/records/sign-in-connections/tests-service";
import { handle } from "@/lib/server/handle";

export const GET = handle(getSignInTest, get);

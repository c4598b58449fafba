import { handle } from "@/lib/server/handle";
import { checkPolicy } from "@/lib/features/policy-check/contract";
import * as policy from "@/lib/features/policy-check/service";

export const POST = handle(checkPolicy, policy.check);

import { handle } from "@/lib/http/handle";
import { checkPolicy } from "@/lib/policy/contract";
import * as policy from "@/lib/policy/service";

export const POST = handle(checkPolicy, policy.check);

import { handle } from "@/lib/server/handle";
import { deletePolicyTest, updatePolicyTest } from "@/lib/features/policy-tests/contract";
import * as policyTests from "@/lib/features/policy-tests/service";

export const PATCH = handle(updatePolicyTest, policyTests.update);
export const DELETE = handle(deletePolicyTest, policyTests.remove);

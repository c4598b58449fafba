import { handle } from "@/lib/http/handle";
import { deletePolicyTest, updatePolicyTest } from "@/lib/policy-tests/contract";
import * as policyTests from "@/lib/policy-tests/service";

export const PATCH = handle(updatePolicyTest, policyTests.update);
export const DELETE = handle(deletePolicyTest, policyTests.remove);

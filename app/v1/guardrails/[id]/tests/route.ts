import { handle } from "@/lib/http/handle";
import { createPolicyTest, listPolicyTests, updatePolicyTests } from "@/lib/policy-tests/contract";
import * as policyTests from "@/lib/policy-tests/service";

export const GET = handle(listPolicyTests, policyTests.list);
export const POST = handle(createPolicyTest, policyTests.create);
export const PATCH = handle(updatePolicyTests, policyTests.updateSettings);

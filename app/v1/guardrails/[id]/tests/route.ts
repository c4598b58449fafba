import { handle } from "@/lib/server/handle";
import { createPolicyTest, listPolicyTests, updatePolicyTests } from "@/lib/features/policy-tests/contract";
import * as policyTests from "@/lib/features/policy-tests/service";

export const GET = handle(listPolicyTests, policyTests.list);
export const POST = handle(createPolicyTest, policyTests.create);
export const PATCH = handle(updatePolicyTests, policyTests.updateSettings);

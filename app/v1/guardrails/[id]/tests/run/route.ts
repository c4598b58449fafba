import { handle } from "@/lib/server/handle";
import { runPolicyTests } from "@/lib/features/policy-tests/contract";
import * as policyTests from "@/lib/features/policy-tests/service";

export const POST = handle(runPolicyTests, policyTests.run);

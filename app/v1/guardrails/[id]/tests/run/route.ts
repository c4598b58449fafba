import { handle } from "@/lib/http/handle";
import { runPolicyTests } from "@/lib/policy-tests/contract";
import * as policyTests from "@/lib/policy-tests/service";

export const POST = handle(runPolicyTests, policyTests.run);

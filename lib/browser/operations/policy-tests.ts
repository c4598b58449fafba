// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../features/policy-tests/contract";

export const createPolicyTest = {"id":"createPolicyTest","method":"POST","path":"/guardrails/{id}/tests","access":"management"} as Callable<typeof contract.createPolicyTest>;
export const deletePolicyTest = {"id":"deletePolicyTest","method":"DELETE","path":"/guardrails/{id}/tests/{test_id}","access":"management"} as Callable<typeof contract.deletePolicyTest>;
export const listPolicyTests = {"id":"listPolicyTests","method":"GET","path":"/guardrails/{id}/tests","access":"management"} as Callable<typeof contract.listPolicyTests>;
export const runPolicyTests = {"id":"runPolicyTests","method":"POST","path":"/guardrails/{id}/tests/run","access":"management"} as Callable<typeof contract.runPolicyTests>;
export const updatePolicyTest = {"id":"updatePolicyTest","method":"PATCH","path":"/guardrails/{id}/tests/{test_id}","access":"management"} as Callable<typeof contract.updatePolicyTest>;
export const updatePolicyTests = {"id":"updatePolicyTests","method":"PATCH","path":"/guardrails/{id}/tests","access":"management"} as Callable<typeof contract.updatePolicyTests>;

// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/budgets/thresholds-contract";

export const getGuardrailThresholds = {"id":"getGuardrailThresholds","method":"GET","path":"/guardrails/{id}/thresholds","access":"management"} as Callable<typeof contract.getGuardrailThresholds>;
export const updateGuardrailThresholds = {"id":"updateGuardrailThresholds","method":"PATCH","path":"/guardrails/{id}/thresholds","access":"management"} as Callable<typeof contract.updateGuardrailThresholds>;

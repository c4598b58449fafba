// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/guardrails/versions-contract";

export const getGuardrailVersion = {"id":"getGuardrailVersion","method":"GET","path":"/guardrails/{id}/versions/{n}","access":"management"} as Callable<typeof contract.getGuardrailVersion>;
export const listGuardrailVersions = {"id":"listGuardrailVersions","method":"GET","path":"/guardrails/{id}/versions","access":"management"} as Callable<typeof contract.listGuardrailVersions>;
export const restoreGuardrailVersion = {"id":"restoreGuardrailVersion","method":"POST","path":"/guardrails/{id}/versions/{n}/restore","access":"management"} as Callable<typeof contract.restoreGuardrailVersion>;

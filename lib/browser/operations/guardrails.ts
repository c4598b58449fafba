// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/guardrails/contract";

export const createGuardrail = {"id":"createGuardrail","method":"POST","path":"/guardrails","access":"management"} as Callable<typeof contract.createGuardrail>;
export const deleteGuardrail = {"id":"deleteGuardrail","method":"DELETE","path":"/guardrails/{id}","access":"management"} as Callable<typeof contract.deleteGuardrail>;
export const getGuardrail = {"id":"getGuardrail","method":"GET","path":"/guardrails/{id}","access":"management"} as Callable<typeof contract.getGuardrail>;
export const listGuardrails = {"id":"listGuardrails","method":"GET","path":"/guardrails","access":"management"} as Callable<typeof contract.listGuardrails>;
export const updateGuardrail = {"id":"updateGuardrail","method":"PATCH","path":"/guardrails/{id}","access":"management"} as Callable<typeof contract.updateGuardrail>;

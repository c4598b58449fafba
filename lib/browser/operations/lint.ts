// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../features/lint/contract";

export const lintGuardrail = {"id":"lintGuardrail","method":"POST","path":"/guardrails/lint","access":"management"} as Callable<typeof contract.lintGuardrail>;

// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../features/coverage/contract";

export const getCoverage = {"id":"getGuardrailCoverage","method":"GET","path":"/guardrails/coverage","access":"management"} as Callable<typeof contract.getCoverage>;

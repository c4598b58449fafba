// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../features/policy-check/contract";

export const checkPolicy = {"id":"checkPolicy","method":"POST","path":"/policy/check","access":"management"} as Callable<typeof contract.checkPolicy>;
export const getEffectivePolicy = {"id":"getEffectivePolicy","method":"GET","path":"/policy/effective","access":"management"} as Callable<typeof contract.getEffectivePolicy>;

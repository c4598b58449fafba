// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../features/exceptions/contract";

export const createException = {"id":"createException","method":"POST","path":"/exceptions","access":"management"} as Callable<typeof contract.createException>;
export const endException = {"id":"endException","method":"DELETE","path":"/exceptions/{id}","access":"management"} as Callable<typeof contract.endException>;
export const getException = {"id":"getException","method":"GET","path":"/exceptions/{id}","access":"member"} as Callable<typeof contract.getException>;
export const listExceptions = {"id":"listExceptions","method":"GET","path":"/exceptions","access":"member"} as Callable<typeof contract.listExceptions>;

// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/session/contract";

export const acceptInvitation = {"id":"acceptInvitation","method":"POST","path":"/session/invitation","access":"public"} as Callable<typeof contract.acceptInvitation>;
export const createSession = {"id":"createSession","method":"POST","path":"/session","access":"public"} as Callable<typeof contract.createSession>;
export const deleteSession = {"id":"deleteSession","method":"DELETE","path":"/session","access":"any"} as Callable<typeof contract.deleteSession>;
export const getSession = {"id":"getSession","method":"GET","path":"/session","access":"any"} as Callable<typeof contract.getSession>;

// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/organization/contract";

export const getOrganization = {"id":"getOrganization","method":"GET","path":"/organization","access":"management"} as Callable<typeof contract.getOrganization>;
export const updateOrganization = {"id":"updateOrganization","method":"PATCH","path":"/organization","access":"management"} as Callable<typeof contract.updateOrganization>;

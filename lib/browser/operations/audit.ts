// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../platform/audit/contract";

export const getAuditEvent = {"id":"getAuditEvent","method":"GET","path":"/audit-events/{id}","access":"management"} as Callable<typeof contract.getAuditEvent>;
export const listAuditEvents = {"id":"listAuditEvents","method":"GET","path":"/audit-events","access":"management"} as Callable<typeof contract.listAuditEvents>;

// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/session/account-contract";

export const changePassword = {"id":"changePassword","method":"POST","path":"/account/password","access":"any"} as Callable<typeof contract.changePassword>;
export const deleteAccountSession = {"id":"deleteAccountSession","method":"DELETE","path":"/account/sessions/{id}","access":"any"} as Callable<typeof contract.deleteAccountSession>;
export const deleteOrganizationSession = {"id":"deleteOrganizationSession","method":"DELETE","path":"/organization/sessions/{id}","access":"management"} as Callable<typeof contract.deleteOrganizationSession>;
export const deleteOtherAccountSessions = {"id":"deleteOtherAccountSessions","method":"DELETE","path":"/account/sessions","access":"any"} as Callable<typeof contract.deleteOtherAccountSessions>;
export const listAccountSessions = {"id":"listAccountSessions","method":"GET","path":"/account/sessions","access":"any"} as Callable<typeof contract.listAccountSessions>;
export const listOrganizationSessions = {"id":"listOrganizationSessions","method":"GET","path":"/organization/sessions","access":"management"} as Callable<typeof contract.listOrganizationSessions>;
export const updateAccount = {"id":"updateAccount","method":"PATCH","path":"/account","access":"any"} as Callable<typeof contract.updateAccount>;

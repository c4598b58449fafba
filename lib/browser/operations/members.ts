// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/members/contract";

export const createMember = {"id":"createOrganizationMember","method":"POST","path":"/organization/members","access":"management"} as Callable<typeof contract.createMember>;
export const deleteMember = {"id":"deleteOrganizationMember","method":"DELETE","path":"/organization/members/{user_id}","access":"management"} as Callable<typeof contract.deleteMember>;
export const endMemberSessions = {"id":"endOrganizationMemberSessions","method":"DELETE","path":"/organization/members/{user_id}/sessions","access":"management"} as Callable<typeof contract.endMemberSessions>;
export const getMember = {"id":"getOrganizationMember","method":"GET","path":"/organization/members/{user_id}","access":"management"} as Callable<typeof contract.getMember>;
export const listMembers = {"id":"listOrganizationMembers","method":"GET","path":"/organization/members","access":"management"} as Callable<typeof contract.listMembers>;
export const resetMemberPassword = {"id":"resetOrganizationMemberPassword","method":"POST","path":"/organization/members/{user_id}/password-reset","access":"management"} as Callable<typeof contract.resetMemberPassword>;
export const updateMember = {"id":"updateOrganizationMember","method":"PATCH","path":"/organization/members/{user_id}","access":"management"} as Callable<typeof contract.updateMember>;

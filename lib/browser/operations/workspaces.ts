// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/workspaces/contract";

export const createWorkspace = {"id":"createWorkspace","method":"POST","path":"/workspaces","access":"management"} as Callable<typeof contract.createWorkspace>;
export const deleteWorkspace = {"id":"deleteWorkspace","method":"DELETE","path":"/workspaces/{id}","access":"management"} as Callable<typeof contract.deleteWorkspace>;
export const getWorkspace = {"id":"getWorkspace","method":"GET","path":"/workspaces/{id}","access":"management"} as Callable<typeof contract.getWorkspace>;
export const listWorkspaces = {"id":"listWorkspaces","method":"GET","path":"/workspaces","access":"management"} as Callable<typeof contract.listWorkspaces>;
export const updateWorkspace = {"id":"updateWorkspace","method":"PATCH","path":"/workspaces/{id}","access":"management"} as Callable<typeof contract.updateWorkspace>;

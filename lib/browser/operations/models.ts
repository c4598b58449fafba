// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/models/contract";

export const createModel = {"id":"createModel","method":"POST","path":"/models","access":"management"} as Callable<typeof contract.createModel>;
export const deleteModel = {"id":"deleteModel","method":"DELETE","path":"/models/{slug}","access":"management"} as Callable<typeof contract.deleteModel>;
export const getModel = {"id":"getModel","method":"GET","path":"/models/{slug}","access":"management"} as Callable<typeof contract.getModel>;
export const listModels = {"id":"listModels","method":"GET","path":"/models","access":"any"} as Callable<typeof contract.listModels>;
export const updateModel = {"id":"updateModel","method":"PATCH","path":"/models/{slug}","access":"management"} as Callable<typeof contract.updateModel>;

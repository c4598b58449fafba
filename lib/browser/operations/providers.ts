// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/providers/contract";

export const createProvider = {"id":"createProvider","method":"POST","path":"/providers","access":"management"} as Callable<typeof contract.createProvider>;
export const deleteProvider = {"id":"deleteProvider","method":"DELETE","path":"/providers/{slug}","access":"management"} as Callable<typeof contract.deleteProvider>;
export const getProvider = {"id":"getProvider","method":"GET","path":"/providers/{slug}","access":"management"} as Callable<typeof contract.getProvider>;
export const listProviderHealth = {"id":"listProviderHealth","method":"GET","path":"/health/providers","access":"management"} as Callable<typeof contract.listProviderHealth>;
export const listProviders = {"id":"listProviders","method":"GET","path":"/providers","access":"management"} as Callable<typeof contract.listProviders>;
export const testProvider = {"id":"testProvider","method":"POST","path":"/providers/{slug}/test","access":"management"} as Callable<typeof contract.testProvider>;
export const updateProvider = {"id":"updateProvider","method":"PATCH","path":"/providers/{slug}","access":"management"} as Callable<typeof contract.updateProvider>;

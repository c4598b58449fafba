// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/keys/contract";

export const createKey = {"id":"createKey","method":"POST","path":"/keys","access":"management"} as Callable<typeof contract.createKey>;
export const deleteKey = {"id":"deleteKey","method":"DELETE","path":"/keys/{hash}","access":"management"} as Callable<typeof contract.deleteKey>;
export const getCurrentKey = {"id":"getCurrentKey","method":"GET","path":"/key","access":"any"} as Callable<typeof contract.getCurrentKey>;
export const getKey = {"id":"getKey","method":"GET","path":"/keys/{hash}","access":"member"} as Callable<typeof contract.getKey>;
export const listKeys = {"id":"listKeys","method":"GET","path":"/keys","access":"member"} as Callable<typeof contract.listKeys>;
export const rotateKey = {"id":"rotateKey","method":"POST","path":"/keys/{hash}/rotate","access":"management"} as Callable<typeof contract.rotateKey>;
export const updateKey = {"id":"updateKey","method":"PATCH","path":"/keys/{hash}","access":"management"} as Callable<typeof contract.updateKey>;

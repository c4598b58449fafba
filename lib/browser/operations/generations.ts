// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/generations/contract";

export const exportGenerations = {"id":"exportGenerations","method":"GET","path":"/generations/export","access":"member"} as Callable<typeof contract.exportGenerations>;
export const getGeneration = {"id":"getGeneration","method":"GET","path":"/generation","access":"member"} as Callable<typeof contract.getGeneration>;
export const getGenerationNeighbours = {"id":"getGenerationNeighbours","method":"GET","path":"/generation/neighbours","access":"member"} as Callable<typeof contract.getGenerationNeighbours>;
export const listGenerations = {"id":"listGenerations","method":"GET","path":"/generations","access":"member"} as Callable<typeof contract.listGenerations>;
export const tailGenerations = {"id":"tailGenerations","method":"GET","path":"/generations/tail","access":"member"} as Callable<typeof contract.tailGenerations>;

// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../features/replay/why-contract";

export const explainGeneration = {"id":"explainGeneration","method":"GET","path":"/generation/policy","access":"management"} as Callable<typeof contract.explainGeneration>;

// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../features/content-access/contract";

export const deleteGenerationContent = {"id":"deleteGenerationContent","method":"DELETE","path":"/generation/content","access":"management"} as Callable<typeof contract.deleteGenerationContent>;
export const getGenerationContent = {"id":"listGenerationContent","method":"GET","path":"/generation/content","access":"management"} as Callable<typeof contract.getGenerationContent>;

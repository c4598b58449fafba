// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../features/content-access/removal-contract";

export const deleteGenerationContents = {"id":"deleteGenerationContents","method":"DELETE","path":"/generations/content","access":"management"} as Callable<typeof contract.deleteGenerationContents>;

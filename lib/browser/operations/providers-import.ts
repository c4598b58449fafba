// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/providers/import-contract";

export const importModels = {"id":"importModels","method":"POST","path":"/providers/{slug}/models/import","access":"management"} as Callable<typeof contract.importModels>;

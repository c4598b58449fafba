// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/catalogue/contract";

export const listCatalogueProviders = {"id":"listCatalogueProviders","method":"GET","path":"/catalogue/providers","access":"management"} as Callable<typeof contract.listCatalogueProviders>;

// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../server/docs/contract";

export const getOpenApiDocument = {"id":"getOpenApiDocument","method":"GET","path":"/openapi.json","access":"public"} as Callable<typeof contract.getOpenApiDocument>;

// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../features/analytics/contract";

export const getOverview = {"id":"getAnalyticsOverview","method":"GET","path":"/analytics/overview","access":"member"} as Callable<typeof contract.getOverview>;

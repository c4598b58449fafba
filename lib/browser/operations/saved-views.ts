// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/saved-views/contract";

export const createSavedView = {"id":"createSavedView","method":"POST","path":"/saved-views","access":"member"} as Callable<typeof contract.createSavedView>;
export const deleteSavedView = {"id":"deleteSavedView","method":"DELETE","path":"/saved-views/{id}","access":"member"} as Callable<typeof contract.deleteSavedView>;
export const listSavedViews = {"id":"listSavedViews","method":"GET","path":"/saved-views","access":"member"} as Callable<typeof contract.listSavedViews>;

// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/budgets/contract";

export const listBudgets = {"id":"listBudgets","method":"GET","path":"/budgets","access":"member"} as Callable<typeof contract.listBudgets>;

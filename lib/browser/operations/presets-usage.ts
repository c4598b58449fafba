// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/presets/usage-contract";

export const getPresetUsage = {"id":"getPresetUsage","method":"GET","path":"/presets/{slug}/usage","access":"member"} as Callable<typeof contract.getPresetUsage>;

// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../features/preset-compatibility/contract";

export const getPresetCompatibility = {"id":"getPresetCompatibility","method":"GET","path":"/presets/{slug}/compatibility","access":"management"} as Callable<typeof contract.getPresetCompatibility>;

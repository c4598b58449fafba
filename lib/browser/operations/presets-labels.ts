// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/presets/labels-contract";

export const deletePresetLabel = {"id":"deletePresetLabel","method":"DELETE","path":"/presets/{slug}/labels/{label}","access":"management"} as Callable<typeof contract.deletePresetLabel>;
export const setPresetLabel = {"id":"setPresetLabel","method":"PUT","path":"/presets/{slug}/labels/{label}","access":"management"} as Callable<typeof contract.setPresetLabel>;

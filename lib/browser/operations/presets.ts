// Written by `npm run generate:operations` from the contract, and compared with it by a test.
// A page that only calls operations loads this instead of the schemas.
import type { Callable } from "../../platform/http/operation";
import type * as contract from "../../records/presets/contract";

export const createPresetFromChatCompletions = {"id":"createPresetsChatCompletions","method":"POST","path":"/presets/{slug}/chat/completions","access":"management"} as Callable<typeof contract.createPresetFromChatCompletions>;
export const createPresetFromResponses = {"id":"createPresetsResponses","method":"POST","path":"/presets/{slug}/responses","access":"management"} as Callable<typeof contract.createPresetFromResponses>;
export const getPreset = {"id":"getPreset","method":"GET","path":"/presets/{slug}","access":"member"} as Callable<typeof contract.getPreset>;
export const getPresetVersion = {"id":"getPresetVersion","method":"GET","path":"/presets/{slug}/versions/{version}","access":"member"} as Callable<typeof contract.getPresetVersion>;
export const listPresetVersions = {"id":"listPresetVersions","method":"GET","path":"/presets/{slug}/versions","access":"member"} as Callable<typeof contract.listPresetVersions>;
export const listPresets = {"id":"listPresets","method":"GET","path":"/presets","access":"member"} as Callable<typeof contract.listPresets>;
export const updatePreset = {"id":"updatePreset","method":"PATCH","path":"/presets/{slug}","access":"management"} as Callable<typeof contract.updatePreset>;

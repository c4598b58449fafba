import { handle } from "@/lib/server/handle";
import { getPreset, updatePreset } from "@/lib/records/presets/contract";
import * as presets from "@/lib/records/presets/service";

export const GET = handle(getPreset, presets.get);
export const PATCH = handle(updatePreset, presets.update);

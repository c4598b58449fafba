import { handle } from "@/lib/http/handle";
import { getPreset, updatePreset } from "@/lib/presets/contract";
import * as presets from "@/lib/presets/service";

export const GET = handle(getPreset, presets.get);
export const PATCH = handle(updatePreset, presets.update);

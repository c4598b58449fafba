import { handle } from "@/lib/server/handle";
import { getPresetVersion } from "@/lib/records/presets/contract";
import * as presets from "@/lib/records/presets/service";

export const GET = handle(getPresetVersion, presets.getVersion);

import { handle } from "@/lib/http/handle";
import { getPresetVersion } from "@/lib/presets/contract";
import * as presets from "@/lib/presets/service";

export const GET = handle(getPresetVersion, presets.getVersion);

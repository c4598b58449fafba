import { handle } from "@/lib/server/handle";
import { listPresetVersions } from "@/lib/records/presets/contract";
import * as presets from "@/lib/records/presets/service";

export const GET = handle(listPresetVersions, presets.listVersions);

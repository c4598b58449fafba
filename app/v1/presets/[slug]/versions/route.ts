import { handle } from "@/lib/http/handle";
import { listPresetVersions } from "@/lib/presets/contract";
import * as presets from "@/lib/presets/service";

export const GET = handle(listPresetVersions, presets.listVersions);

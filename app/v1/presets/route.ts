import { handle } from "@/lib/server/handle";
import { listPresets } from "@/lib/records/presets/contract";
import * as presets from "@/lib/records/presets/service";

export const GET = handle(listPresets, presets.list);

import { handle } from "@/lib/http/handle";
import { listPresets } from "@/lib/presets/contract";
import * as presets from "@/lib/presets/service";

export const GET = handle(listPresets, presets.list);

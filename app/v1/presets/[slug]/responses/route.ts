import { handle } from "@/lib/server/handle";
import { createPresetFromResponses } from "@/lib/records/presets/contract";
import * as presets from "@/lib/records/presets/service";

export const POST = handle(createPresetFromResponses, presets.createFromResponses);

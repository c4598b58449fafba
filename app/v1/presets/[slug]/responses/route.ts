import { handle } from "@/lib/http/handle";
import { createPresetFromResponses } from "@/lib/presets/contract";
import * as presets from "@/lib/presets/service";

export const POST = handle(createPresetFromResponses, presets.createFromResponses);

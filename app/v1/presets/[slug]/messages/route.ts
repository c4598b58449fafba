import { handle } from "@/lib/server/handle";
import { createPresetFromMessages } from "@/lib/records/presets/contract";
import * as presets from "@/lib/records/presets/service";

export const POST = handle(createPresetFromMessages, presets.createFromMessages);

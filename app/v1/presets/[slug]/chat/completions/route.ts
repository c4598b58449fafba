import { handle } from "@/lib/server/handle";
import { createPresetFromChatCompletions } from "@/lib/records/presets/contract";
import * as presets from "@/lib/records/presets/service";

export const POST = handle(createPresetFromChatCompletions, presets.createFromChatCompletions);

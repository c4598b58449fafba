import { handle } from "@/lib/http/handle";
import { createPresetFromChatCompletions } from "@/lib/presets/contract";
import * as presets from "@/lib/presets/service";

export const POST = handle(createPresetFromChatCompletions, presets.createFromChatCompletions);

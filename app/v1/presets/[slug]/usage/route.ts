import { handle } from "@/lib/http/handle";
import { usage } from "@/lib/presets/usage";
import { getPresetUsage } from "@/lib/presets/usage-contract";

export const GET = handle(getPresetUsage, usage);

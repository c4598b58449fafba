import { handle } from "@/lib/server/handle";
import { usage } from "@/lib/records/presets/usage-service";
import { getPresetUsage } from "@/lib/records/presets/usage-contract";

export const GET = handle(getPresetUsage, usage);

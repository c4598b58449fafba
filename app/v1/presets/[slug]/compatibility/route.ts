import { handle } from "@/lib/http/handle";
import { compatibility } from "@/lib/presets/compatibility";
import { getPresetCompatibility } from "@/lib/presets/compatibility-contract";

export const GET = handle(getPresetCompatibility, compatibility);

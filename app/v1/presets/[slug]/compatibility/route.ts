import { handle } from "@/lib/server/handle";
import { compatibility } from "@/lib/features/preset-compatibility/service";
import { getPresetCompatibility } from "@/lib/features/preset-compatibility/contract";

export const GET = handle(getPresetCompatibility, compatibility);

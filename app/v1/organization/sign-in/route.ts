import { getSignInSettings, updateSignInSettings } from "@/lib/records/sign-in-connections/contract";
import { get, update } from "@/lib/records/sign-in-connections/settings-service";
import { handle } from "@/lib/server/handle";

export const GET = handle(getSignInSettings, get);
export const PATCH = handle(updateSignInSettings, update);

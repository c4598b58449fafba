import { handle } from "@/lib/server/handle";
import { getAuthKey } from "@/lib/records/keys/contract";
import * as keys from "@/lib/records/keys/current-service";

export const GET = handle(getAuthKey, keys.current);

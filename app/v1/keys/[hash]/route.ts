import { handle } from "@/lib/server/handle";
import { deleteKey, getKey, updateKey } from "@/lib/records/keys/contract";
import * as keys from "@/lib/records/keys/service";

export const GET = handle(getKey, keys.get);
export const PATCH = handle(updateKey, keys.update);
export const DELETE = handle(deleteKey, keys.remove);

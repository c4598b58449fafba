import { handle } from "@/lib/http/handle";
import { deleteKey, getKey, updateKey } from "@/lib/keys/contract";
import * as keys from "@/lib/keys/service";

export const GET = handle(getKey, keys.get);
export const PATCH = handle(updateKey, keys.update);
export const DELETE = handle(deleteKey, keys.remove);

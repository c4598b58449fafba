import { handle } from "@/lib/server/handle";
import { createKey, listKeys } from "@/lib/records/keys/contract";
import * as keys from "@/lib/records/keys/service";

export const GET = handle(listKeys, keys.list);
export const POST = handle(createKey, keys.create);

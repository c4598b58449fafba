import { handle } from "@/lib/http/handle";
import { createKey, listKeys } from "@/lib/keys/contract";
import * as keys from "@/lib/keys/service";

export const GET = handle(listKeys, keys.list);
export const POST = handle(createKey, keys.create);

import { handle } from "@/lib/server/handle";
import { createKey, listKeys } from "@/lib/records/keys/contract";
import { keysWithSpend } from "@/lib/features/analytics/spend-lists-service";
import * as keys from "@/lib/records/keys/service";

export const GET = handle(listKeys, keysWithSpend);
export const POST = handle(createKey, keys.create);

import { handle } from "@/lib/server/handle";
import { getCurrentKey } from "@/lib/records/keys/contract";
import { current } from "@/lib/records/keys/current-service";

export const GET = handle(getCurrentKey, current);

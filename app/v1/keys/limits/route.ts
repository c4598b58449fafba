import { handle } from "@/lib/server/handle";
import { setLimits } from "@/lib/records/keys/limits-service";
import { bulkSetKeyLimits } from "@/lib/records/keys/limits-contract";

export const POST = handle(bulkSetKeyLimits, setLimits);

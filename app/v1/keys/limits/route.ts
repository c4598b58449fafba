import { handle } from "@/lib/http/handle";
import { setLimits } from "@/lib/keys/limits";
import { bulkSetKeyLimits } from "@/lib/keys/limits-contract";

export const POST = handle(bulkSetKeyLimits, setLimits);

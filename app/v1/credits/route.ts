import { handle } from "@/lib/server/handle";
import { getCredits } from "@/lib/records/keys/credits-contract";
import * as credits from "@/lib/records/keys/credits-service";

export const GET = handle(getCredits, credits.get);

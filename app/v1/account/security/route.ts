import { handle } from "@/lib/server/handle";
import { getAccountSecurity } from "@/lib/records/session/factors-contract";
import * as factors from "@/lib/records/session/factors-service";

export const GET = handle(getAccountSecurity, factors.get);

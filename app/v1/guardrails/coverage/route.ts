import { coverage } from "@/lib/features/coverage/service";
import { getCoverage } from "@/lib/features/coverage/contract";
import { handle } from "@/lib/server/handle";

export const GET = handle(getCoverage, coverage);

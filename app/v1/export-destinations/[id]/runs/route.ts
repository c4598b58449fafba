import { handle } from "@/lib/server/handle";
import { listExportRuns } from "@/lib/features/exports/contract";
import * as exports from "@/lib/features/exports/service";

export const GET = handle(listExportRuns, exports.listRuns);

import { handle } from "@/lib/server/handle";
import { testExportDestination } from "@/lib/features/exports/contract";
import * as exports from "@/lib/features/exports/service";

export const POST = handle(testExportDestination, exports.test);

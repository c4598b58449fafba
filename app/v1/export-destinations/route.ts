import { handle } from "@/lib/server/handle";
import { createExportDestination, listExportDestinations } from "@/lib/features/exports/contract";
import * as exports from "@/lib/features/exports/service";

export const GET = handle(listExportDestinations, exports.list);
export const POST = handle(createExportDestination, exports.create);

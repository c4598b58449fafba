import { handle } from "@/lib/server/handle";
import {
  deleteExportDestination,
  getExportDestination,
  updateExportDestination,
} from "@/lib/features/exports/contract";
import * as exports from "@/lib/features/exports/service";

export const GET = handle(getExportDestination, exports.get);
export const PATCH = handle(updateExportDestination, exports.update);
export const DELETE = handle(deleteExportDestination, exports.remove);

import { exportAuditEvents } from "@/lib/platform/audit/contract";
import { exportAll } from "@/lib/platform/audit/export-service";
import { handle } from "@/lib/server/handle";

export const GET = handle(exportAuditEvents, exportAll);

import { countAuditEvents } from "@/lib/platform/audit/contract";
import * as auditEvents from "@/lib/platform/audit/service";
import { handle } from "@/lib/server/handle";

export const GET = handle(countAuditEvents, auditEvents.count);

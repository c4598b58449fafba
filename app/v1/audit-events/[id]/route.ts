import { getAuditEvent } from "@/lib/audit/contract";
import * as auditEvents from "@/lib/audit/service";
import { handle } from "@/lib/http/handle";

export const GET = handle(getAuditEvent, auditEvents.get);

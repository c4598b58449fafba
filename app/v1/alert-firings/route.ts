import { handle } from "@/lib/server/handle";
import { listAlertFirings } from "@/lib/features/alerts/contract";
import * as alerts from "@/lib/features/alerts/service";

export const GET = handle(listAlertFirings, alerts.listFirings);

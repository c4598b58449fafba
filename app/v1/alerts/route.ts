import { handle } from "@/lib/server/handle";
import { createAlert, listAlerts } from "@/lib/features/alerts/contract";
import * as alerts from "@/lib/features/alerts/service";

export const GET = handle(listAlerts, alerts.list);
export const POST = handle(createAlert, alerts.create);

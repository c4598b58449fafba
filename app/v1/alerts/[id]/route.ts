import { handle } from "@/lib/server/handle";
import { deleteAlert, getAlert, updateAlert } from "@/lib/features/alerts/contract";
import * as alerts from "@/lib/features/alerts/service";

export const GET = handle(getAlert, alerts.get);
export const PATCH = handle(updateAlert, alerts.update);
export const DELETE = handle(deleteAlert, alerts.remove);

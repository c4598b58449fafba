import { handle } from "@/lib/server/handle";
import { testAlert } from "@/lib/features/alerts/contract";
import * as alerts from "@/lib/features/alerts/service";

export const POST = handle(testAlert, alerts.test);

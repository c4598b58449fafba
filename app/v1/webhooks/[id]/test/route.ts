import { handle } from "@/lib/server/handle";
import { testWebhook } from "@/lib/records/webhooks/contract";
import { test } from "@/lib/records/webhooks/deliveries-service";

export const POST = handle(testWebhook, test);

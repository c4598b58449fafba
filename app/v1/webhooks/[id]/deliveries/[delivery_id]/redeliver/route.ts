import { handle } from "@/lib/server/handle";
import { redeliverWebhook } from "@/lib/records/webhooks/contract";
import { redeliver } from "@/lib/records/webhooks/deliveries-service";

export const POST = handle(redeliverWebhook, redeliver);

import { handle } from "@/lib/server/handle";
import { listWebhookDeliveries } from "@/lib/records/webhooks/contract";
import { list } from "@/lib/records/webhooks/deliveries-service";

export const GET = handle(listWebhookDeliveries, list);

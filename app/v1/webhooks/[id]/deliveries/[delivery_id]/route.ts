import { handle } from "@/lib/server/handle";
import { getWebhookDelivery } from "@/lib/records/webhooks/contract";
import { get } from "@/lib/records/webhooks/deliveries-service";

export const GET = handle(getWebhookDelivery, get);

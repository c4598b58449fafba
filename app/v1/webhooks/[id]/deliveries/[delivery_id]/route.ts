import { handle } from "@/lib/http/handle";
import { getWebhookDelivery } from "@/lib/webhooks/contract";
import { get } from "@/lib/webhooks/deliveries";

export const GET = handle(getWebhookDelivery, get);

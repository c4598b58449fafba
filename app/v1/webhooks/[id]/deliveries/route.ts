import { handle } from "@/lib/http/handle";
import { listWebhookDeliveries } from "@/lib/webhooks/contract";
import { list } from "@/lib/webhooks/deliveries";

export const GET = handle(listWebhookDeliveries, list);

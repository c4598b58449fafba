import { handle } from "@/lib/http/handle";
import { redeliverWebhook } from "@/lib/webhooks/contract";
import { redeliver } from "@/lib/webhooks/deliveries";

export const POST = handle(redeliverWebhook, redeliver);

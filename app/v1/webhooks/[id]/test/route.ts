import { handle } from "@/lib/http/handle";
import { testWebhook } from "@/lib/webhooks/contract";
import { test } from "@/lib/webhooks/deliveries";

export const POST = handle(testWebhook, test);

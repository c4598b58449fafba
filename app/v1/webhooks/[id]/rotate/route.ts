import { handle } from "@/lib/http/handle";
import { rotateWebhookSecret } from "@/lib/webhooks/contract";
import { rotate } from "@/lib/webhooks/service";

export const POST = handle(rotateWebhookSecret, rotate);

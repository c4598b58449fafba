import { handle } from "@/lib/server/handle";
import { rotateWebhookSecret } from "@/lib/records/webhooks/contract";
import { rotate } from "@/lib/records/webhooks/service";

export const POST = handle(rotateWebhookSecret, rotate);

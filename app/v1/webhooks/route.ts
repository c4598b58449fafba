import { handle } from "@/lib/server/handle";
import { createWebhook, listWebhooks } from "@/lib/records/webhooks/contract";
import * as webhooks from "@/lib/records/webhooks/service";

export const GET = handle(listWebhooks, webhooks.list);
export const POST = handle(createWebhook, webhooks.create);

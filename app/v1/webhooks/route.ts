import { handle } from "@/lib/http/handle";
import { createWebhook, listWebhooks } from "@/lib/webhooks/contract";
import * as webhooks from "@/lib/webhooks/service";

export const GET = handle(listWebhooks, webhooks.list);
export const POST = handle(createWebhook, webhooks.create);

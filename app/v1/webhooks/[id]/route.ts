import { handle } from "@/lib/http/handle";
import { deleteWebhook, getWebhook, updateWebhook } from "@/lib/webhooks/contract";
import * as webhooks from "@/lib/webhooks/service";

export const GET = handle(getWebhook, webhooks.get);
export const PATCH = handle(updateWebhook, webhooks.update);
export const DELETE = handle(deleteWebhook, webhooks.remove);

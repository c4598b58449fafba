import { handle } from "@/lib/server/handle";
import { deleteWebhook, getWebhook, updateWebhook } from "@/lib/records/webhooks/contract";
import * as webhooks from "@/lib/records/webhooks/service";

export const GET = handle(getWebhook, webhooks.get);
export const PATCH = handle(updateWebhook, webhooks.update);
export const DELETE = handle(deleteWebhook, webhooks.remove);

import { z } from "zod";
import { Deleted, envelope, IdParams, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { page, PageQuery } from "../../platform/http/pagination";
import { DELIVERY_STATUSES } from "./vocabulary";
import { EVENT_TYPES } from "../../platform/outbox/vocabulary";

const MAX_GRACE_SECONDS = 7 * 24 * 60 * 60;

const WebhookUrl = z
  .url({ protocol: /^https?$/, abort: true })
  .max(2000)
  .refine((text) => !URL.parse(text)?.username && !text.includes("#"), "must not contain credentials or a fragment");

const WebhookFields = z.object({
  url: WebhookUrl.meta({ description: "Events are sent here by POST; redirects aren't followed" }),
  description: z.string().trim().max(200).nullable(),
  events: z
    .array(z.enum(EVENT_TYPES))
    .min(1)
    .refine((events) => new Set(events).size === events.length, "must not contain duplicates")
    .meta({ description: "Events to send" }),
  enabled: z.boolean(),
});

export const UpdateWebhookBody = z.strictObject(WebhookFields.partial().shape);
export const CreateWebhookBody = UpdateWebhookBody.required({ url: true, events: true });

export const Webhook = z
  .object({
    id: Uuid,
    ...WebhookFields.shape,
    url: z.string(),
    disabled_reason: z
      .string()
      .nullable()
      .meta({ description: "Why Signalbox disabled the webhook: it returned 410, or failed for three days" }),
    failing_since: Timestamp.nullable().meta({ description: "Time of the first failure since the last success" }),
    previous_secret_expires_at: Timestamp.nullable().meta({
      description: "Until then, deliveries are also signed with the previous secret",
    }),
    created_at: Timestamp,
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.output<typeof Webhook>;

const WithSecret = envelope(Webhook).extend({
  secret: z.string().meta({ description: "Signs deliveries (Standard Webhooks); shown only once" }),
});

export const Attempt = z.object({
  at: Timestamp,
  status: z.number().int().nullable().meta({ description: "The receiver's HTTP status, if any" }),
  ms: z.number().int().min(0),
  answer: z.string().nullable().meta({ description: "The first 1 kB of the receiver's response" }),
  error: z.string().nullable().meta({ description: "Reason of the failure" }),
});

export const WebhookDelivery = z
  .object({
    id: Uuid.meta({ description: "Sent as `webhook-id`, the same for every attempt" }),
    webhook_id: Uuid,
    type: z.string(),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.array(Attempt).meta({ description: "The last 20 attempts, oldest first" }),
    next_attempt_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.output<typeof WebhookDelivery>;
export type Attempt = WebhookDelivery["attempts"][number];

const webhooks = { tag: "Webhooks", access: "management" } as const;
const DeliveryParams = IdParams.extend({ delivery_id: Uuid });

export const listWebhooks = operation({
  ...webhooks,
  id: "listWebhooks",
  permission: "organization:read",
  method: "GET",
  path: "/webhooks",
  summary: "List webhooks, oldest first",
  query: PageQuery,
  status: 200,
  result: page(Webhook),
});

export const createWebhook = operation({
  ...webhooks,
  id: "createWebhook",
  permission: "organization:write",
  recentSignIn: true,
  method: "POST",
  path: "/webhooks",
  summary: "Create a webhook; its secret is shown only once",
  body: CreateWebhookBody,
  inspected: true,
  status: 201,
  result: WithSecret,
  idempotent: true,
  example: {
    body: {
      url: "https://hooks.example.com/signalbox",
      description: "Incident channel",
      events: ["budget.threshold_reached", "blocks.spike"],
    },
  },
});

export const getWebhook = operation({
  ...webhooks,
  id: "getWebhook",
  permission: "organization:read",
  method: "GET",
  path: "/webhooks/{id}",
  summary: "Get a webhook",
  params: IdParams,
  status: 200,
  result: envelope(Webhook),
});

export const updateWebhook = operation({
  ...webhooks,
  id: "updateWebhook",
  permission: "organization:write",
  recentSignIn: true,
  method: "PATCH",
  path: "/webhooks/{id}",
  summary: "Update or re-enable a webhook",
  params: IdParams,
  body: UpdateWebhookBody,
  inspected: true,
  status: 200,
  result: envelope(Webhook),
  example: { body: { enabled: true } },
});

export const deleteWebhook = operation({
  ...webhooks,
  id: "deleteWebhook",
  permission: "organization:write",
  recentSignIn: true,
  method: "DELETE",
  path: "/webhooks/{id}",
  summary: "Delete a webhook and its deliveries",
  params: IdParams,
  status: 200,
  result: Deleted,
});

export const rotateWebhookSecret = operation({
  ...webhooks,
  id: "rotateWebhookSecret",
  permission: "organization:write",
  recentSignIn: true,
  method: "POST",
  path: "/webhooks/{id}/rotate",
  summary: "Rotate a webhook's secret; during the grace period, deliveries are also signed with the previous one",
  params: IdParams,
  body: z.strictObject({
    grace_seconds: z
      .number()
      .int()
      .min(0)
      .max(MAX_GRACE_SECONDS)
      .default(24 * 60 * 60),
  }),
  bodyOptional: true,
  status: 200,
  result: WithSecret,
  idempotent: true,
  example: { body: { grace_seconds: 3600 } },
});

export const testWebhook = operation({
  ...webhooks,
  id: "testWebhook",
  permission: "organization:write",
  method: "POST",
  path: "/webhooks/{id}/test",
  summary: "Send the event `webhook.test`, even to a disabled webhook",
  params: IdParams,
  status: 201,
  result: envelope(WebhookDelivery),
});

export const listWebhookDeliveries = operation({
  ...webhooks,
  id: "listWebhookDeliveries",
  permission: "organization:read",
  method: "GET",
  path: "/webhooks/{id}/deliveries",
  summary: "List a webhook's deliveries of the last 30 days, newest first",
  params: IdParams,
  query: PageQuery.extend({ status: z.enum(DELIVERY_STATUSES).optional() }),
  status: 200,
  result: page(WebhookDelivery),
});

export const getWebhookDelivery = operation({
  ...webhooks,
  id: "getWebhookDelivery",
  permission: "organization:read",
  method: "GET",
  path: "/webhooks/{id}/deliveries/{delivery_id}",
  summary: "Get a delivery with its payload",
  params: DeliveryParams,
  status: 200,
  result: envelope(WebhookDelivery.extend({ body: z.string().meta({ description: "The exact request body" }) })),
});

export const redeliverWebhook = operation({
  ...webhooks,
  id: "redeliverWebhook",
  permission: "organization:write",
  method: "POST",
  path: "/webhooks/{id}/deliveries/{delivery_id}/redeliver",
  summary: "Redeliver immediately, with the same `webhook-id`",
  params: DeliveryParams,
  status: 200,
  result: envelope(WebhookDelivery),
  errors: [409],
});

import { keepPreviousData } from "@tanstack/react-query";
import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, reload } from "@/lib/browser/api-query";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhooks,
  redeliverWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from "@/lib/browser/operations/webhooks";

/** Above the maximum number of webhooks per organization. */
const ALL = 100;
export const DELIVERIES_SHOWN = 20;
/** Polling interval for pending deliveries. */
const SOON_MS = 1_500;

export const webhooksQuery = apiQuery(listWebhooks, { query: { limit: ALL } });

export const webhookQuery = (id: string) => apiQuery(getWebhook, { params: { id } });

/** One page of deliveries, polled while any is pending. */
export const deliveriesQuery = (id: string, offset: number, status: "failed" | "pending" | "delivered" | null) => ({
  ...apiQuery(listWebhookDeliveries, {
    params: { id },
    query: { offset, limit: DELIVERIES_SHOWN, ...(status && { status }) },
  }),
  placeholderData: keepPreviousData,
  refetchInterval: SOON_MS * 2,
});

export const deliveryQuery = (id: string, deliveryId: string) => ({
  ...apiQuery(getWebhookDelivery, { params: { id, delivery_id: deliveryId } }),
  refetchInterval: SOON_MS,
});

export const useCreateWebhook = () =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof createWebhook>["body"]) =>
      call(createWebhook, { body, idempotencyKey: newIdempotencyKey() }),
    onSuccess: reload(listWebhooks, getWebhook),
  });

export const useUpdateWebhook = (id: string) =>
  useApiMutation({
    mutationFn: (body: CallInput<typeof updateWebhook>["body"]) => call(updateWebhook, { params: { id }, body }),
    onSuccess: reload(listWebhooks, getWebhook),
  });

export const useDeleteWebhook = () =>
  useApiMutation({
    mutationFn: ({ id }: { id: string }) => call(deleteWebhook, { params: { id } }),
    onSuccess: reload(listWebhooks),
  });

export const useRotateSecret = (id: string) =>
  useApiMutation({
    mutationFn: (grace_seconds: number) =>
      call(rotateWebhookSecret, { params: { id }, body: { grace_seconds }, idempotencyKey: newIdempotencyKey() }),
    onSuccess: reload(listWebhooks, getWebhook),
  });

export const useTestWebhook = (id: string) =>
  useApiMutation({
    mutationFn: () => call(testWebhook, { params: { id } }),
    onSuccess: reload(listWebhookDeliveries),
  });

export const useRedeliver = (id: string) =>
  useApiMutation({
    mutationFn: (deliveryId: string) => call(redeliverWebhook, { params: { id, delivery_id: deliveryId } }),
    onSuccess: reload(listWebhookDeliveries, getWebhookDelivery),
  });

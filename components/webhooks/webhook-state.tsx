import { Badge } from "@/components/ui/badge";
import type { Webhook, WebhookDelivery } from "@/lib/records/webhooks/contract";

/** Status of a webhook: on, off or failing. */
export function WebhookState({ webhook: { enabled, failing_since } }: { webhook: Webhook }) {
  if (!enabled) return <Badge>Off</Badge>;
  return failing_since ? <Badge tone="warning">Failing</Badge> : <Badge tone="success">On</Badge>;
}

const STATES = {
  pending: { tone: "accent", label: "Pending" },
  delivered: { tone: "success", label: "Delivered" },
  failed: { tone: "danger", label: "Failed" },
} as const;

export function DeliveryState({
  delivery: { status, attempts },
}: {
  delivery: Pick<WebhookDelivery, "status" | "attempts">;
}) {
  const { tone, label } =
    status === "pending" && attempts.length > 0 ? ({ tone: "warning", label: "Retrying" } as const) : STATES[status];
  return <Badge tone={tone}>{label}</Badge>;
}

import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { Webhook } from "@/lib/records/webhooks/contract";
import { useUpdateWebhook } from "./webhook-queries";

/** Alert for a disabled or failing webhook, with the action to fix it. */
export function WebhookTrouble({ webhook: { id, enabled, disabled_reason, failing_since } }: { webhook: Webhook }) {
  const update = useUpdateWebhook(id);
  const switchOn = () =>
    update.mutate(
      { enabled: true },
      {
        onSuccess: () => toast.success("Webhook enabled"),
        onError: (error) => toast.error(toFailure(error).message),
      },
    );
  if (!enabled) {
    const action = (
      <Button size="sm" disabled={update.isPending} onClick={switchOn}>
        Enable webhook
      </Button>
    );
    return (
      <Alert kind="warning" title={disabled_reason ? `Disabled: ${disabled_reason}` : "Disabled"} action={action}>
        Only test events are sent. Other events are dropped.
      </Alert>
    );
  }
  return (
    failing_since && (
      <Alert
        kind="warning"
        title={
          <>
            Deliveries started failing <RelativeTime at={failing_since} />
          </>
        }
      >
        Each event is retried for about seven hours. After three days of failures the webhook is disabled.
      </Alert>
    )
  );
}

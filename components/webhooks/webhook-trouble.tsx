import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { Webhook } from "@/lib/records/webhooks/contract";
import { useUpdateWebhook } from "./webhook-queries";

/** Why nothing arrives, and what can be done. */
export function WebhookTrouble({ webhook: { id, enabled, disabled_reason, failing_since } }: { webhook: Webhook }) {
  const update = useUpdateWebhook(id);
  const switchOn = () =>
    update.mutate(
      { enabled: true },
      {
        onSuccess: () => toast.success("The webhook is on again"),
        onError: (error) => toast.error(toFailure(error).message),
      },
    );
  if (!enabled) {
    const action = (
      <Button size="sm" disabled={update.isPending} onClick={switchOn}>
        Switch on again
      </Button>
    );
    return (
      <Alert
        kind="warning"
        title={disabled_reason ? `Switched off: ${disabled_reason}` : "Switched off"}
        action={action}
      >
        Nothing is sent but test events. What happens meanwhile is not told later.
      </Alert>
    );
  }
  return (
    failing_since && (
      <Alert
        kind="warning"
        title={
          <>
            Nothing has arrived since <RelativeTime at={failing_since} />
          </>
        }
      >
        Each event is tried again for about seven hours. After three days of failure the webhook is switched off.
      </Alert>
    )
  );
}

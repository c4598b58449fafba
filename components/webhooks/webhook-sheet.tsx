"use client";
import { useQuery } from "@tanstack/react-query";
import { useQueryState } from "nuqs";
import { parseAsString } from "nuqs/server";
import { useState } from "react";
import { AuditLink } from "@/components/audit/audit-link";
import { DataState } from "@/components/layout/data-state";
import { Editable, May } from "@/components/session/may";
import { Button } from "@/components/ui/button";
import { SideSheet } from "@/components/ui/side-sheet";
import { Skeleton } from "@/components/ui/skeleton";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { Webhook } from "@/lib/records/webhooks/contract";
import { Alert } from "@/components/ui/alert";
import { RelativeTime } from "@/components/ui/relative-time";
import { Deliveries } from "./deliveries";
import { DeliveryView } from "./delivery-view";
import { useTestWebhook, webhookQuery, useUpdateWebhook } from "./webhook-queries";
import { WebhookSettings } from "./webhook-settings";

const VIEWS = [
  { value: "deliveries", label: "Deliveries" },
  { value: "settings", label: "Settings" },
] as const;

/** Side sheet with a webhook's deliveries and settings. */
export function WebhookSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const webhook = useQuery(webhookQuery(id));
  return (
    <SideSheet
      open
      onClose={onClose}
      title={webhook.data ? new URL(webhook.data.data.url).host : "Webhook"}
      actions={webhook.data && <AuditLink type="webhook" id={id} />}
    >
      <DataState query={webhook} subject="this webhook" skeleton={<Skeleton className="h-96 w-full" />}>
        {({ data }) => <WebhookViews webhook={data} onGone={onClose} />}
      </DataState>
    </SideSheet>
  );
}

function WebhookViews({ webhook, onGone }: { webhook: Webhook; onGone: () => void }) {
  const [view, setView] = useState<(typeof VIEWS)[number]["value"]>("deliveries");
  const [delivery, setDelivery] = useQueryState("delivery", parseAsString.withOptions({ history: "push" }));
  const test = useTestWebhook(webhook.id);
  const sendTest = () =>
    test.mutate(undefined, {
      onSuccess: () => toast.success("Test event queued"),
      onError: (error) => toast.error(toFailure(error).message),
    });
  if (delivery !== null)
    return <DeliveryView webhookId={webhook.id} id={delivery} onBack={() => void setDelivery(null)} />;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="min-w-0 font-mono text-[13px] wrap-anywhere text-muted">{webhook.url}</p>
        <May permission="organization:write">
          <Button size="sm" disabled={test.isPending} onClick={sendTest}>
            Send test event
          </Button>
        </May>
      </div>
      <WebhookTrouble webhook={webhook} />
      <Tabs label="Webhook" value={view} onChange={setView} items={VIEWS}>
        <TabPanel value="deliveries">
          <Deliveries webhookId={webhook.id} onOpen={(id) => void setDelivery(id)} />
        </TabPanel>
        <TabPanel value="settings">
          <Editable permission="organization:write">
            <WebhookSettings webhook={webhook} onDeleted={onGone} />
          </Editable>
        </TabPanel>
      </Tabs>
    </div>
  );
}

/** Alert for a disabled or failing webhook, with the action to fix it. */
function WebhookTrouble({ webhook: { id, enabled, disabled_reason, failing_since } }: { webhook: Webhook }) {
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
      <May permission="organization:write">
        <Button size="sm" disabled={update.isPending} onClick={switchOn}>
          Enable webhook
        </Button>
      </May>
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

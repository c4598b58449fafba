"use client";
import { useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { Webhook } from "@/lib/records/webhooks/contract";
import { EditWebhookForm } from "./webhook-form";
import { useDeleteWebhook, useRotateSecret } from "./webhook-queries";
import { WebhookSecret } from "./webhook-secret";

const DAY_SECONDS = 86_400;

/** Settings of a webhook: fields, secret and deletion. */
export function WebhookSettings({ webhook, onDeleted }: { webhook: Webhook; onDeleted: () => void }) {
  return (
    <div className="grid gap-6">
      <EditWebhookForm webhook={webhook} />
      <SecretSection webhook={webhook} />
      <DeleteSection webhook={webhook} onDeleted={onDeleted} />
    </div>
  );
}

function SecretSection({ webhook: { id, previous_secret_expires_at } }: { webhook: Webhook }) {
  const rotation = useRotateSecret(id);
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <section aria-labelledby="secret-title" className="grid gap-3 border-t pt-5">
      <h3 id="secret-title" className="font-semibold">
        Signing secret
      </h3>
      {rotation.data ? (
        <WebhookSecret secret={rotation.data.secret} onStored={() => rotation.reset()} />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-muted">
            {previous_secret_expires_at ? (
              <>
                The previous secret also signs events. It expires{" "}
                <RelativeTime at={previous_secret_expires_at} isUpcoming />.
              </>
            ) : (
              "Shown only at creation."
            )}
          </p>
          <Button onClick={() => setAsking(true)}>Rotate secret…</Button>
        </div>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={(open) => !open && close()}
        title="Rotate signing secret?"
        action="Rotate secret"
        isDestructive={false}
        isPending={rotation.isPending}
        onConfirm={() => rotation.mutate(DAY_SECONDS, { onSuccess: close })}
      >
        <p>For 24 hours, events are signed with both the old and the new secret, so you can rotate without downtime.</p>
        {rotation.error && <FailureAlert failure={toFailure(rotation.error)} />}
      </ConfirmDialog>
    </section>
  );
}

function DeleteSection({ webhook, onDeleted }: { webhook: Webhook; onDeleted: () => void }) {
  const deletion = useDeleteWebhook();
  const [isAsking, setAsking] = useState(false);
  const { host } = new URL(webhook.url);
  const confirm = () =>
    deletion.mutate(webhook, {
      onSuccess: () => {
        toast.success("Webhook deleted");
        onDeleted();
      },
    });
  return (
    <section aria-label="Delete" className="flex flex-wrap items-center justify-between gap-3 border-t pt-5">
      <p className="text-muted">Cancels pending deliveries and removes the delivery log.</p>
      <Button variant="danger" onClick={() => setAsking(true)}>
        Delete webhook…
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Delete webhook for ${host}?`}
        action="Delete webhook"
        typed={host}
        isPending={deletion.isPending}
        onConfirm={confirm}
      >
        <p>It receives no more events, and its delivery log is deleted. This can&apos;t be undone.</p>
        {deletion.error && <FailureAlert failure={toFailure(deletion.error)} />}
      </ConfirmDialog>
    </section>
  );
}

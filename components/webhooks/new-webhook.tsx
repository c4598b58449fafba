"use client";
import { useState } from "react";
import { SideSheet } from "@/components/ui/side-sheet";
import { NewWebhookForm } from "./webhook-form";
import { WebhookSecret } from "./webhook-secret";

/** Creates a webhook, then shows its secret until the user confirms that it is stored. */
export function NewWebhook({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  const stored = () => {
    setSecret(null);
    onClose();
  };
  return (
    <SideSheet
      open
      onClose={() => secret === null && onClose()}
      title={secret === null ? "New webhook" : "Webhook created"}
    >
      {secret === null ? <NewWebhookForm onCreated={setSecret} /> : <WebhookSecret secret={secret} onStored={stored} />}
    </SideSheet>
  );
}

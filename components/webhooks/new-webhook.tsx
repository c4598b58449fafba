"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { persistently } from "@/components/ui/deferred";
import { SideSheet } from "@/components/ui/side-sheet";
import { Skeleton } from "@/components/ui/skeleton";
import { WebhookSecret } from "./webhook-secret";

const WebhookForm = dynamic(() => persistently(() => import("./webhook-form").then((file) => file.WebhookForm)), {
  loading: () => <Skeleton className="h-96 w-full" />,
});

/** Creates a webhook, then shows its secret until the user confirms that it is stored. */
export function NewWebhook({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  const stored = () => {
    setSecret(null);
    onClose();
  };
  return (
    <SideSheet
      open={open}
      onClose={() => secret === null && onClose()}
      title={secret === null ? "New webhook" : "Webhook created"}
    >
      {secret === null ? (
        <WebhookForm webhook={null} onCreated={setSecret} />
      ) : (
        <WebhookSecret secret={secret} onStored={stored} />
      )}
    </SideSheet>
  );
}

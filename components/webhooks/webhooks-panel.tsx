"use client";
import { useQuery } from "@tanstack/react-query";
import { Webhook as Icon } from "lucide-react";
import { ResourceList } from "@/components/layout/resource-list";
import { May } from "@/components/session/may";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import type { Column } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Webhook } from "@/lib/records/webhooks/contract";
import { webhooksQuery } from "./webhook-queries";
import { WebhookState } from "./webhook-state";
import { count } from "@/lib/platform/count";

interface WebhooksPanelProps {
  onOpen: (id: string) => void;
  onNew: () => void;
}

/** Webhooks of the organization. */
export function WebhooksPanel({ onOpen, onNew }: WebhooksPanelProps) {
  const webhooks = useQuery(webhooksQuery);
  return (
    <ResourceList
      label="Webhooks"
      subject="webhooks"
      query={webhooks}
      columns={webhookColumns(({ id }) => onOpen(id))}
      rowKey={({ id }) => id}
      skeletonRows={3}
      onOpen={({ id }) => onOpen(id)}
      empty={
        <EmptyState
          icon={Icon}
          title="No webhooks yet"
          isHeaderAction
          action={
            <May permission="organization:write">
              <Button variant="primary" onClick={onNew}>
                New webhook
              </Button>
            </May>
          }
        >
          Webhooks receive signed events about changed guardrails, presets and keys, budgets running low, and spikes of
          blocked requests.
        </EmptyState>
      }
    />
  );
}

const webhookColumns = (onOpen: (webhook: Webhook) => void): Column<Webhook>[] => [
  {
    id: "url",
    header: "URL",
    className: "md:w-[45%]",
    cell: (webhook) => (
      <div className="grid justify-items-start gap-0.5">
        <button
          type="button"
          onClick={() => onOpen(webhook)}
          className="text-left font-medium wrap-anywhere after:absolute after:inset-0"
        >
          {webhook.url}
        </button>
        {webhook.description && <span className="text-[13px] wrap-anywhere text-muted">{webhook.description}</span>}
      </div>
    ),
  },
  {
    id: "events",
    header: "Events",
    cell: ({ events }) =>
      events.length === 1 ? events[0] : <span title={events.join(", ")}>{count(events.length, "event")}</span>,
  },
  { id: "status", header: "Status", cell: (webhook) => <WebhookState webhook={webhook} /> },
  { id: "created", header: "Created", cell: ({ created_at }) => <RelativeTime at={created_at} /> },
];

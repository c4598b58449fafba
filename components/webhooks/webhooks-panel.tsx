"use client";
import { useQuery } from "@tanstack/react-query";
import { Webhook as Icon } from "lucide-react";
import { DataState } from "@/components/layout/data-state";
import { Button } from "@/components/ui/button";
import { DataTable, DataTableSkeleton } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { webhookColumns } from "./webhook-columns";
import { webhooksQuery } from "./webhook-queries";

interface WebhooksPanelProps {
  onOpen: (id: string) => void;
  onNew: () => void;
}

/** Where the organization's events are sent. */
export function WebhooksPanel({ onOpen, onNew }: WebhooksPanelProps) {
  const webhooks = useQuery(webhooksQuery);
  const columns = webhookColumns(({ id }) => onOpen(id));
  return (
    <DataState query={webhooks} subject="the webhooks" skeleton={<DataTableSkeleton columns={columns} rows={3} />}>
      {({ data }) =>
        data.length === 0 ? (
          <EmptyState
            icon={Icon}
            title="Nobody is told yet"
            action={
              <Button variant="primary" onClick={onNew}>
                New webhook
              </Button>
            }
          >
            A webhook receives signed events: guardrails, presets and keys that change, budgets that run low, and sudden
            blocks.
          </EmptyState>
        ) : (
          <DataTable
            label="Webhooks"
            columns={columns}
            rows={data}
            rowKey={({ id }) => id}
            onOpen={({ id }) => onOpen(id)}
          />
        )
      }
    </DataState>
  );
}

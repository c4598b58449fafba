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

/** Webhooks of the organization. */
export function WebhooksPanel({ onOpen, onNew }: WebhooksPanelProps) {
  const webhooks = useQuery(webhooksQuery);
  const columns = webhookColumns(({ id }) => onOpen(id));
  return (
    <DataState query={webhooks} subject="webhooks" skeleton={<DataTableSkeleton columns={columns} rows={3} />}>
      {({ data }) =>
        data.length === 0 ? (
          <EmptyState
            icon={Icon}
            title="No webhooks yet"
            isHeaderAction
            action={
              <Button variant="primary" onClick={onNew}>
                New webhook
              </Button>
            }
          >
            Webhooks receive signed events about changed guardrails, presets and keys, budgets running low, and spikes
            of blocked requests.
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

"use client";
import { useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useState } from "react";
import { PageButtons } from "@/components/layout/page-buttons";
import { ResourceList } from "@/components/layout/resource-list";
import type { Column } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { Segmented } from "@/components/ui/segmented";
import type { WebhookDelivery } from "@/lib/records/webhooks/contract";
import { DELIVERIES_SHOWN, deliveriesQuery } from "./webhook-queries";
import { DeliveryState } from "./webhook-state";

const FILTERS = [
  { value: "all", label: "All" },
  { value: "failed", label: "Failed" },
  { value: "pending", label: "Pending" },
  { value: "delivered", label: "Delivered" },
] as const;
type Filter = (typeof FILTERS)[number]["value"];

const lastOf = ({ attempts }: WebhookDelivery) => attempts.at(-1);

const columnsFor = (onOpen: (id: string) => void): Column<WebhookDelivery>[] => [
  {
    id: "event",
    header: "Event",
    className: "md:w-[38%]",
    cell: ({ id, type }) => (
      <button
        type="button"
        onClick={() => onOpen(id)}
        className="text-left font-mono text-[13px] wrap-anywhere after:absolute after:inset-0"
      >
        {type}
      </button>
    ),
  },
  { id: "status", header: "Status", cell: (delivery) => <DeliveryState delivery={delivery} /> },
  {
    id: "response",
    header: "Response",
    cell: (delivery) => (
      <span className="tabular-nums">{lastOf(delivery) ? (lastOf(delivery)?.status ?? "None") : "–"}</span>
    ),
  },
  {
    id: "attempts",
    header: "Attempts",
    cell: ({ attempts }) => <span className="tabular-nums">{attempts.length}</span>,
  },
  { id: "time", header: "Time", cell: ({ created_at }) => <RelativeTime at={created_at} /> },
];

/** Deliveries of a webhook in the last 30 days. */
export function Deliveries({ webhookId, onOpen }: { webhookId: string; onOpen: (id: string) => void }) {
  const [offset, setOffset] = useState(0);
  const [filter, setFilter] = useState<Filter>("all");
  const deliveries = useQuery(deliveriesQuery(webhookId, offset, filter === "all" ? null : filter));
  const choose = (next: Filter) => {
    setFilter(next);
    setOffset(0);
  };
  return (
    <div className="grid gap-3">
      <Segmented label="Status" value={filter} onValueChange={choose} options={FILTERS} />
      <ResourceList
        label="Deliveries"
        subject="deliveries"
        query={deliveries}
        columns={columnsFor(onOpen)}
        rowKey={({ id }) => id}
        skeletonRows={4}
        onOpen={({ id }) => onOpen(id)}
        empty={
          <EmptyState icon={Send} title={filter === "all" ? "No deliveries yet" : "No results"}>
            {filter === "all"
              ? "Send a test event to check that the receiver can be reached."
              : "Choose another status."}
          </EmptyState>
        }
        pages={({ data, total_count }) => (
          <PageButtons
            subject="deliveries"
            offset={offset}
            size={DELIVERIES_SHOWN}
            shown={data.length}
            total={total_count}
            onOffset={setOffset}
          />
        )}
      />
    </div>
  );
}

import type { Column } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Webhook } from "@/lib/records/webhooks/contract";
import { WebhookState } from "./webhook-state";

export const webhookColumns = (onOpen: (webhook: Webhook) => void): Column<Webhook>[] => [
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
      events.length === 1 ? events[0] : <span title={events.join(", ")}>{events.length} events</span>,
  },
  { id: "status", header: "Status", cell: (webhook) => <WebhookState webhook={webhook} /> },
  { id: "created", header: "Created", cell: ({ created_at }) => <RelativeTime at={created_at} /> },
];

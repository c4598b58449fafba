"use client";
import { useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { DataState } from "@/components/layout/data-state";
import { PageButtons } from "@/components/layout/page-buttons";
import { PAGE_SIZE } from "@/components/layout/page-size";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { Segmented } from "@/components/ui/segmented";
import { TextLink } from "@/components/ui/text-link";
import { Skeleton } from "@/components/ui/skeleton";
import { DeliveryState } from "@/components/webhooks/webhook-state";
import type { AlertFiring } from "@/lib/features/alerts/contract";
import { firingsQuery, type FiringFilters } from "./alert-queries";
import { requestsHref } from "./firing-now";
import { CHANNEL_LABELS, STATE_LABELS, TYPE_LABELS, valueText } from "./alert-text";

const FILTERS = [
  { value: "all", label: "All" },
  { value: "firing", label: "Firing" },
  { value: "resolved", label: "Resolved" },
  { value: "test", label: "Tests" },
] as const;

interface FiringsProps extends FiringFilters {
  onState: (state: FiringFilters["state"]) => void;
  onOffset: (offset: number) => void;
  /** Opens a rule; omitted in the rule's own sheet. */
  onOpen?: (alertId: string) => void;
}

/** Alerts that fired in the last 30 days, with their notifications. */
export function Firings({ onState, onOffset, onOpen, ...filters }: FiringsProps) {
  const { state, offset } = filters;
  const firings = useQuery(firingsQuery(filters));
  return (
    <div className="grid gap-3">
      <div className="flex">
        <Segmented
          label="Status"
          value={state ?? "all"}
          onValueChange={(next) => onState(next === "all" ? null : next)}
          options={FILTERS}
        />
      </div>
      <DataState query={firings} subject="the history" skeleton={<Skeleton className="h-64 w-full" />}>
        {({ data, total_count }) =>
          total_count === 0 ? (
            <EmptyState icon={History} title={state === null ? "Nothing has fired yet" : "No results"}>
              {state === null
                ? "Firings and tests of the last 30 days appear here. Send a test to check the channels."
                : "Choose another status."}
            </EmptyState>
          ) : (
            <>
              <ol aria-label="History" className="grid divide-y rounded-lg border bg-surface">
                {data.map((firing) => (
                  <Firing key={firing.id} firing={firing} onOpen={onOpen} />
                ))}
              </ol>
              <PageButtons
                subject="the history"
                offset={offset}
                size={PAGE_SIZE}
                shown={data.length}
                total={total_count}
                onOffset={onOffset}
              />
            </>
          )
        }
      </DataState>
    </div>
  );
}

const TONES = { firing: "danger", resolved: "success", test: "neutral" } as const;

function Firing({ firing, onOpen }: { firing: AlertFiring; onOpen: FiringsProps["onOpen"] }) {
  const {
    alert_id,
    alert_name,
    kind,
    state,
    message,
    value,
    threshold,
    fired_at,
    resolved_at,
    notifications,
    requests,
  } = firing;
  return (
    <li className="grid gap-2 p-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={TONES[state]}>{STATE_LABELS[state]}</Badge>
        {onOpen && (
          <button
            type="button"
            className="text-left font-medium wrap-anywhere underline-offset-2 hover:underline"
            onClick={() => onOpen(alert_id)}
          >
            {alert_name}
          </button>
        )}
        <span className="text-[13px] text-muted">
          <RelativeTime at={fired_at} />
          {state === "resolved" && resolved_at && (
            <>
              {" · resolved "}
              <RelativeTime at={resolved_at} />
            </>
          )}
        </span>
        {state !== "test" && (
          <span className="ml-auto text-[13px] text-muted tabular-nums">
            {valueText(kind, value)} / {valueText(kind, threshold)}
          </span>
        )}
      </div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1 text-[13px]">
        <p className="min-w-0 wrap-anywhere">{message}</p>
        {state !== "test" && <TextLink href={requestsHref(requests)}>Show requests</TextLink>}
      </div>
      {notifications.length === 0 ? (
        <p className="text-[13px] text-muted">
          {firing.notified_at === null ? "Not notified: within the quiet period" : "No notifications"}
        </p>
      ) : (
        <ul aria-label="Notifications" className="grid gap-1">
          {notifications.map((notification) => (
            <Notified key={notification.id} notification={notification} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Notified({ notification }: { notification: AlertFiring["notifications"][number] }) {
  const { channel, type, recipient, attempts } = notification;
  const last = attempts.at(-1);
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[13px]">
      <DeliveryState delivery={notification} />
      <span>
        {TYPE_LABELS[type] ?? type} · {CHANNEL_LABELS[channel]}
      </span>
      <span className="font-mono wrap-anywhere text-muted">{recipient}</span>
      {last && (
        <span className="wrap-anywhere text-muted">
          {last.error ?? `${last.status ?? ""} ${last.answer?.slice(0, 80) ?? ""}`.trim()}
        </span>
      )}
    </li>
  );
}

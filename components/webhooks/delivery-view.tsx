"use client";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { DataState } from "@/components/layout/data-state";
import { Button } from "@/components/ui/button";
import { CodeEditor } from "@/components/ui/code-editor";
import { Facts } from "@/components/ui/facts";
import { MonoId } from "@/components/ui/mono-id";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { Badge } from "@/components/ui/badge";
import type { Attempt } from "@/lib/records/webhooks/contract";
import { deliveryQuery, useRedeliver } from "./webhook-queries";
import { DeliveryState } from "./webhook-state";

const pretty = (body: string) => JSON.stringify(JSON.parse(body), null, 2);

interface DeliveryViewProps {
  webhookId: string;
  id: string;
  onBack: () => void;
}

/** One delivery, with payload and attempts. */
export function DeliveryView({ webhookId, id, onBack }: DeliveryViewProps) {
  const delivery = useQuery(deliveryQuery(webhookId, id));
  const redelivery = useRedeliver(webhookId);
  const again = () =>
    redelivery.mutate(id, {
      onSuccess: () => toast.success("Event queued for redelivery"),
      onError: (error) => toast.error(toFailure(error).message),
    });
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Button variant="ghost" size="sm" className="-ml-2" onClick={onBack}>
          <ArrowLeft aria-hidden /> All deliveries
        </Button>
        <Button size="sm" disabled={redelivery.isPending || !delivery.data} onClick={again}>
          Redeliver
        </Button>
      </div>
      <DataState query={delivery} subject="this delivery" skeleton={<Skeleton className="h-96 w-full" />}>
        {({ data }) => (
          <>
            <h3 className="flex flex-wrap items-center gap-2 font-mono text-sm font-semibold">
              {data.type} <DeliveryState delivery={data} />
            </h3>
            <Facts
              facts={[
                { term: "Time", value: <RelativeTime at={data.created_at} /> },
                {
                  term: "Next attempt",
                  value: data.next_attempt_at && <RelativeTime at={data.next_attempt_at} isUpcoming />,
                },
                { term: "webhook-id", value: <MonoId value={data.id} name="webhook ID" /> },
              ]}
            />
            <AttemptList attempts={data.attempts} />
            <section aria-labelledby="payload-title" className="grid gap-2">
              <h3 id="payload-title" className="text-sm font-semibold">
                Payload
              </h3>
              <CodeEditor label="Payload" language="json" value={pretty(data.body)} minLines={12} />
            </section>
          </>
        )}
      </DataState>
    </div>
  );
}

/** Delivery attempts, newest first, with time, duration and response. */
function AttemptList({ attempts }: { attempts: readonly Attempt[] }) {
  return (
    <section aria-labelledby="attempts-title" className="grid gap-2">
      <h3 id="attempts-title" className="text-sm font-semibold">
        Attempts
      </h3>
      {attempts.length === 0 ? (
        <p className="text-muted">The first attempt is pending.</p>
      ) : (
        <ol aria-label="Attempts" className="grid divide-y rounded-lg border bg-surface">
          {attempts.toReversed().map(({ at, status, ms, answer, error }) => (
            <li key={at} className="grid gap-1.5 p-3">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px] text-muted">
                <Badge tone={error === null ? "success" : "danger"}>{status ?? "No response"}</Badge>
                <RelativeTime at={at} />
                <span className="tabular-nums">{ms.toLocaleString("en")} ms</span>
              </div>
              {error && <p className="text-[13px] wrap-anywhere">{error}</p>}
              {answer && (
                <pre className="max-h-40 overflow-auto rounded-md bg-subtle p-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
                  {answer}
                </pre>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

"use client";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX, Plug } from "lucide-react";
import { FailureAlert } from "@/components/form/failure-alert";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Facts } from "@/components/ui/facts";
import { toFailure } from "@/lib/browser/api-failure";
import type { ConnectionTest, Provider } from "@/lib/records/providers/contract";
import { connectionQuery } from "./provider-queries";

/** Connection test, run after saving and on demand. */
export function ConnectionCard({ provider: { slug, name, base_url } }: { provider: Provider }) {
  const test = useQuery({ ...connectionQuery(slug), enabled: false });
  const button = (
    <Button onClick={() => void test.refetch()} disabled={test.isFetching}>
      <Plug aria-hidden /> {test.isFetching ? "Testing…" : "Test connection"}
    </Button>
  );
  return (
    <Card id="connection" title="Connection" description={base_url ?? "Built in, runs on this server"} action={button}>
      <div aria-live="polite" className="min-h-12">
        {test.isFetching && <p className="text-muted">Requesting the model list from {name}…</p>}
        {!test.isFetching && test.error && <FailureAlert failure={toFailure(test.error)} />}
        {!test.isFetching && !test.error && test.data && <Outcome {...test.data.data} />}
        {!test.isFetching && !test.error && !test.data && <p className="text-muted">Not tested yet.</p>}
      </div>
    </Card>
  );
}

function Outcome({ ok, status, latency_ms, models_count, message }: ConnectionTest) {
  const Icon = ok ? CircleCheck : CircleX;
  return (
    <div className="grid gap-3">
      <p className={`flex items-start gap-2 font-medium ${ok ? "text-success" : "text-danger"}`}>
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0 wrap-anywhere">
          {ok ? "Connected" : status === null ? "Not connected" : "Connected, but the test failed"}: {message}
        </span>
      </p>
      <Facts
        facts={[
          { term: "Response time", value: status === null ? null : `${latency_ms.toLocaleString("en")} ms` },
          { term: "HTTP status", value: status ?? (ok ? null : "No response") },
          { term: "Models", value: models_count },
        ]}
      />
    </div>
  );
}

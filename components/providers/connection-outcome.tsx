import { CircleCheck, CircleX } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Facts } from "@/components/ui/facts";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ConnectionTest } from "@/lib/records/providers/contract";

/** Result of a connection test, with its time. */
export function ConnectionOutcome({ ok, status, latency_ms, models_count, message, tested_at }: ConnectionTest) {
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
          { term: "Tested", value: <RelativeTime at={tested_at} /> },
          { term: "Response time", value: status === null ? null : `${latency_ms.toLocaleString("en")} ms` },
          { term: "HTTP status", value: status ?? (ok ? null : "No response") },
          { term: "Models", value: models_count },
        ]}
      />
    </div>
  );
}

/** Result of a provider's last connection test, in a list. */
export function LastTest({ test }: { test: ConnectionTest | null }) {
  if (!test) return <span className="text-muted">Not tested</span>;
  return (
    <span className="grid justify-items-start gap-0.5">
      <Badge tone={test.ok ? "success" : "danger"}>{test.ok ? "Connected" : "Failed"}</Badge>
      <span className="text-[13px] text-muted">
        <RelativeTime at={test.tested_at} />
      </span>
    </span>
  );
}

import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import type { Attempt } from "@/lib/generations/contract";
import { formatDuration } from "./generation-format";

/** The upstreams that were asked, in order. */
export function AttemptsCard({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return null;
  return (
    <Card id="attempts" title="Attempts" description="Upstreams that were asked, in order." className="py-1">
      <ol className="divide-y">
        {attempts.map((attempt, index) => (
          <li key={index} className="grid gap-1 py-2.5">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-medium">{attempt.provider_name}</span>
              <code className="font-mono text-[13px] text-muted">{attempt.model}</code>
              <Badge tone={attempt.error === null ? "success" : "danger"}>{attempt.status ?? "No answer"}</Badge>
              <span className="ml-auto text-[13px] text-muted tabular-nums">{formatDuration(attempt.latency_ms)}</span>
            </div>
            {attempt.error !== null && <p className="text-[13px] break-words text-danger">{attempt.error}</p>}
          </li>
        ))}
      </ol>
    </Card>
  );
}

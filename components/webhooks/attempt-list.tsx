import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Attempt } from "@/lib/records/webhooks/contract";

/** Delivery attempts, newest first, with time, duration and response. */
export function AttemptList({ attempts }: { attempts: readonly Attempt[] }) {
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

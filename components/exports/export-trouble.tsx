import { Alert } from "@/components/ui/alert";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ExportDestination } from "@/lib/features/exports/contract";

/** Alert for a paused or failing destination. */
export function ExportTrouble({
  destination: { enabled, paused_reason, failing_since, next_run_at, last_run },
}: {
  destination: ExportDestination;
}) {
  if (!enabled)
    return (
      <Alert kind="warning" title={paused_reason === null ? "Paused" : `Paused: ${paused_reason}`}>
        Generations aren&apos;t lost: exports continue at the same position once you resume, as long as the log still
        has them.
      </Alert>
    );
  return (
    failing_since !== null && (
      <Alert
        kind="warning"
        title={
          <>
            Started failing <RelativeTime at={failing_since} />
            {last_run?.error && `: ${last_run.error}`}
          </>
        }
      >
        Next attempt: <RelativeTime at={next_run_at} isUpcoming />. After a day of failures the destination is paused.
      </Alert>
    )
  );
}

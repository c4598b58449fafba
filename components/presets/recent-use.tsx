import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { presetUsageQuery, RECENT_DAYS, type PresetAddress } from "./preset-queries";
import { count } from "@/lib/platform/count";

interface RecentUseProps {
  address: PresetAddress;
  /** Counts only this version's requests. */
  version?: number;
  /** Effect of the change on these requests. */
  children: ReactNode;
}

/** Number of recent requests that a change would have affected. */
export function RecentUse({ address, version, children }: RecentUseProps) {
  const usage = useQuery(presetUsageQuery(address, RECENT_DAYS));
  const rows = usage.data?.data.filter((row) => version === undefined || row.version === version);
  const requests = rows?.reduce((sum, row) => sum + row.requests, 0);
  return (
    <p aria-live="polite">
      {requests === undefined ? (
        usage.isError ? (
          "Usage couldn't be loaded."
        ) : (
          "Counting requests…"
        )
      ) : (
        <Count requests={requests} />
      )}{" "}
      {children}
    </p>
  );
}

function Count({ requests }: { requests: number }) {
  return (
    <>
      <strong className="font-medium tabular-nums">{count(requests, "request")}</strong> in the last {RECENT_DAYS} days.
    </>
  );
}

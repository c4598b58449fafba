import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { presetUsageQuery, RECENT_DAYS, type PresetAddress } from "./preset-queries";

interface RecentUseProps {
  address: PresetAddress;
  /** Only this version's requests. */
  version?: number;
  /** What happens to such requests. */
  children: ReactNode;
}

/** How many requests of the last days a change would have met. */
export function RecentUse({ address, version, children }: RecentUseProps) {
  const usage = useQuery(presetUsageQuery(address, RECENT_DAYS));
  const rows = usage.data?.data.filter((row) => version === undefined || row.version === version);
  const requests = rows?.reduce((sum, row) => sum + row.requests, 0);
  return (
    <p aria-live="polite">
      {requests === undefined ? (
        usage.isError ? (
          "How much it was used is not known just now."
        ) : (
          "Counting its requests…"
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
      <strong className="font-medium tabular-nums">
        {requests === 1 ? "1 request" : `${requests.toLocaleString("en")} requests`}
      </strong>{" "}
      in the last {RECENT_DAYS} days.
    </>
  );
}

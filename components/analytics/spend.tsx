import { unpricedNote } from "@/components/generations/generation-format";
import type { Sums } from "@/lib/features/analytics/usage-contract";
import { formatSpend } from "./measures";

/** "$1.20", and below it how many requests it lacks. */
export function Spend({ spend_usd, unpriced_requests }: Pick<Sums, "spend_usd" | "unpriced_requests">) {
  const note = unpricedNote(unpriced_requests);
  return (
    <span className="inline-grid justify-items-end tabular-nums">
      {spend_usd === 0 && note !== null ? "Unknown" : formatSpend(spend_usd)}
      {note !== null && <span className="text-[13px] text-muted">{note}</span>}
    </span>
  );
}

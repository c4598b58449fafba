import { formatSpend } from "@/components/analytics/measures";
import { Moment } from "@/components/home/moment";
import { formatUsd } from "@/components/ui/usd";
import type { Budget } from "@/lib/records/budgets/contract";

/** "On pace to reach $50.00 on Thursday 14:00, 71% from nightly-eval." Without enough data, only says when the budget resets. */
export function BudgetForecast({ budget: { limit_usd, remaining_usd, resets_at, forecast } }: { budget: Budget }) {
  const resets =
    resets_at === null ? (
      "Doesn’t reset"
    ) : (
      <>
        Resets <Moment at={resets_at} isUtc />
      </>
    );
  if (remaining_usd === 0) return <>Limit reached: paid requests are rejected. {resets}.</>;
  const [most] = forecast.contributors;
  const share = most && `, ${Math.round(100 * most.share)}% from ${most.key_name}`;
  if (forecast.exhausted_at !== null) {
    return (
      <>
        On pace to reach {formatUsd(limit_usd)} on <Moment at={forecast.exhausted_at} />
        {share}.
      </>
    );
  }
  if (forecast.usd_per_hour === 0 && forecast.contributors.length === 0) return <>No recent spend. {resets}.</>;
  if (resets_at === null) return <>On track. {resets}.</>;
  if (forecast.projected_usd === null) return <>{resets}.</>;
  return (
    <>
      On pace to spend {formatSpend(forecast.projected_usd)} of {formatUsd(limit_usd)}. {resets}.
    </>
  );
}

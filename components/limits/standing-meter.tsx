import { formatSpend } from "@/components/analytics/measures";
import { Moment } from "@/components/home/moment";
import { Meter } from "@/components/ui/meter";
import type { LimitMetric } from "@/lib/engine/budgets/vocabulary";
import type { Limit, LimitStanding } from "@/lib/records/limits/contract";
import { amountText } from "./limit-text";

interface StandingMeterProps {
  limit: Pick<Limit, "metric">;
  standing: LimitStanding;
}

const usedText = (metric: LimitMetric, amount: number): string =>
  metric === "spend" ? formatSpend(amount) : amountText(metric, amount);

/** What a subject has used of a limit, and when it is reached or resets. */
export function StandingMeter({ limit: { metric }, standing }: StandingMeterProps) {
  const { name, used, reserved, remaining, resets_at, exhausted_at } = standing;
  const taken = used + reserved;
  return (
    <div className="grid gap-1">
      <Meter
        label={name}
        value={taken}
        max={standing.limit}
        text={`${usedText(metric, taken)} of ${amountText(metric, standing.limit)}`}
      />
      <p className="text-[13px] text-muted">
        {remaining === 0 ? "Limit reached. " : `${usedText(metric, remaining)} left. `}
        {remaining > 0 && exhausted_at !== null ? (
          <>
            On pace to be reached on <Moment at={exhausted_at} />.
          </>
        ) : (
          resets_at !== null && (
            <>
              Resets <Moment at={resets_at} />.
            </>
          )
        )}
      </p>
    </div>
  );
}

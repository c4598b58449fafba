import { Moment } from "@/components/home/moment";
import type { Budget } from "@/lib/records/budgets/contract";

/** "80% reached Thursday 14:02": the highest threshold passed in this period. */
export function ReachedNote({ alerts }: Pick<Budget, "alerts">) {
  const highest = alerts.at(-1);
  return (
    highest && (
      <span className="font-medium text-warning">
        {highest.percent}% reached <Moment at={highest.reached_at} />.{" "}
      </span>
    )
  );
}

import { formatCount } from "@/components/generations/generation-format";
import { COUNT_UNIT, type ChartUnit } from "@/components/ui/chart-parts";
import { formatUsd } from "@/components/ui/usd";
import type { Sums } from "@/lib/features/analytics/usage-contract";
import type { Measure } from "@/lib/features/analytics/vocabulary";

const shortUsd = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  notation: "compact",
  maximumSignificantDigits: 3,
});

const USD_UNIT: ChartUnit = { format: formatUsd, short: (value) => shortUsd.format(value), isWhole: false };

/** Large amounts are rounded to cents. */
const PRECISE_BELOW_USD = 1;
const CENTS = 100;
export const formatSpend = (usd: number): string =>
  formatUsd(usd < PRECISE_BELOW_USD ? usd : Math.round(usd * CENTS) / CENTS);

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const PRECISE_BELOW = 10;
/** Tokens per second: "8.5", "4,000". */
export const formatRate = (value: number): string => (value < PRECISE_BELOW ? tenths : whole).format(value);

interface MeasureLook {
  label: string;
  valueOf: (sums: Sums) => number;
  format: (value: number) => string;
  unit: ChartUnit;
  /** The favorable direction of a change. */
  good?: "down";
  /** Status of the measured requests. */
  status: "failed" | "blocked" | null;
}

const counted = { format: formatCount, unit: COUNT_UNIT } as const;

export const MEASURE_LOOK: Readonly<Record<Measure, MeasureLook>> = {
  spend: { label: "Spend", valueOf: (sums) => sums.spend_usd, format: formatSpend, unit: USD_UNIT, status: null },
  tokens: {
    ...counted,
    label: "Tokens",
    valueOf: (sums) => sums.tokens_prompt + sums.tokens_completion,
    status: null,
  },
  requests: { ...counted, label: "Requests", valueOf: (sums) => sums.requests, status: null },
  errors: { ...counted, label: "Failed", valueOf: (sums) => sums.failed, good: "down", status: "failed" },
  blocked: { ...counted, label: "Blocked", valueOf: (sums) => sums.blocked, status: "blocked" },
};

import { THRESHOLDS, type AlertKind } from "./vocabulary";

/** Describes a measurement in the text of a message. */
export interface Measured {
  kind: AlertKind;
  /** Budget or provider; empty for a rule with one measurement. */
  subject: string;
  value: number;
  threshold: number;
  windowMinutes: number;
}

const numbers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

/** Formats a value with its unit: "12.5%", "1,200 ms", "42 requests", "1 request". */
export function formatValue(kind: AlertKind, value: number): string {
  const { unit } = THRESHOLDS[kind];
  const shown = numbers.format(value);
  if (unit === "%") return `${shown}%`;
  return unit === "requests" && value === 1 ? "1 request" : `${shown} ${unit}`;
}

/** Describes what was measured: "12.5% of requests failed in 15 minutes (threshold: 5%)". */
export function measuredText({ kind, subject, value, threshold, windowMinutes }: Measured): string {
  const shown = formatValue(kind, value);
  const limit = `(threshold: ${formatValue(kind, threshold)})`;
  const period = `in ${windowMinutes} minutes`;
  switch (kind) {
    case "budget":
      return `${subject || "A budget"}: ${shown} of the limit is used ${limit}`;
    case "error_rate":
      return `${shown} of requests failed ${period} ${limit}`;
    case "block_spike":
      return `${shown} blocked ${period} ${limit}`;
    case "latency_p95":
      return `The p95 of the duration is ${shown} ${period} ${limit}`;
    case "time_to_first_token_p95":
      return `The p95 of the time to first token is ${shown} ${period} ${limit}`;
    case "provider_down":
      return `${shown} of attempts at ${subject || "a provider"} failed ${period} ${limit}`;
  }
}

const TITLES = { "alert.fired": "Firing", "alert.resolved": "Resolved", "alert.test": "Test" } as const;

export const titleOf = (type: keyof typeof TITLES, name: string): string => `${TITLES[type]}: ${name}`;

import type { Coverage } from "../coverage/contract";
import { THRESHOLDS, type AlertKind } from "./vocabulary";

type DeprecatedModel = Coverage["deprecated_models"]["data"][number];

/** Parts of a message about a measurement. */
export interface Measured {
  kind: AlertKind;
  /** Budget, provider or model; empty for a rule with one measurement. */
  subject: string;
  value: number;
  threshold: number;
  windowMinutes: number;
  /** Further facts about the subject. */
  detail?: string | undefined;
}

const numbers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

/** Formats a value with its unit: "12.5%", "1,200 ms", "42 requests", "1 request", "30 days". */
export function formatValue(kind: AlertKind, value: number): string {
  const { unit } = THRESHOLDS[kind];
  const shown = numbers.format(value);
  if (unit === "%") return `${shown}%`;
  return value === 1 && (unit === "requests" || unit === "days") ? `1 ${unit.slice(0, -1)}` : `${shown} ${unit}`;
}

/** Describes what was measured: "12.5% of requests failed in 15 minutes (threshold: 5%)". */
export function measuredText({ kind, subject, value, threshold, windowMinutes, detail }: Measured): string {
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
    case "deprecated_model": {
      const retirement = value > 0 ? `retires in ${shown}` : "is retired";
      return `${subject || "A deprecated model"} ${retirement} and is still in use ${limit}${detail ? `. ${detail}` : ""}`;
    }
  }
}

/** Maximum number of user names in a message. */
const NAMED = 3;

/** Describes a deprecated model: "Retirement: 2027-01-14. Replacement: gpt-6-luna. Used by CI, Bot and 1 more". */
export function retirementText({
  retires_at,
  replacement,
  used_by,
}: Pick<DeprecatedModel, "retires_at" | "replacement" | "used_by">): string {
  const names = used_by.data.slice(0, NAMED).map(({ name }) => name);
  const more = used_by.total_count - names.length;
  return [
    `Retirement: ${retires_at.slice(0, 10)}`,
    ...(replacement === null ? [] : [`Replacement: ${replacement}`]),
    `Used by ${names.join(", ")}${more > 0 ? ` and ${numbers.format(more)} more` : ""}`,
  ].join(". ");
}

const TITLES = { "alert.fired": "Firing", "alert.resolved": "Resolved", "alert.test": "Test" } as const;

export const titleOf = (type: keyof typeof TITLES, name: string): string => `${TITLES[type]}: ${name}`;
